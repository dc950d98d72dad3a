import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";

import { finish } from "../json/steps";
import { readTape } from "../json/tape";
import { RecordTable } from "./RecordTable";
import { recordSteps } from "./records";

it("moves by the arrow keys and finds by Ctrl+F", async () => {
  const user = userEvent.setup();
  const read = finish(readTape('[{"a":1,"b":2,"c":3}]'));
  const records = "ok" in read ? finish(recordSteps(read.ok, 0)) : null;
  if (records === null) throw new Error("There are no records.");
  const onFind = vi.fn();
  render(<RecordTable records={records} root={0} label="table" fileName="table" onFind={onFind} />);
  screen.getByRole("grid").focus();
  const active = () => document.getElementById(screen.getByRole("grid").getAttribute("aria-activedescendant") ?? "")?.textContent;
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(active()).toBe("3");
  await user.keyboard("{ArrowLeft}");
  expect(active()).toBe("2");
  await user.keyboard("{Control>}f{/Control}");
  expect(onFind).toHaveBeenCalledOnce();
});
