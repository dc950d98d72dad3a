import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { finish } from "../json/steps";
import { readTape } from "../json/tape";
import { RecordTable } from "./RecordTable";
import { recordSteps } from "./records";

it("moves between cells by the arrow keys", async () => {
  const user = userEvent.setup();
  const read = finish(readTape('[{"a":1,"b":2,"c":3}]'));
  const records = "ok" in read ? finish(recordSteps(read.ok, 0)) : null;
  if (records === null) throw new Error("There are no records.");
  render(<RecordTable records={records} root={0} label="table" fileName="table" />);
  screen.getByRole("grid").focus();
  const active = () => document.getElementById(screen.getByRole("grid").getAttribute("aria-activedescendant") ?? "")?.textContent;
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(active()).toBe("3");
  await user.keyboard("{ArrowLeft}");
  expect(active()).toBe("2");
});
