/**
 * axe's check for content outside of landmarks works only in jsdom.
 * @vitest-environment jsdom
 */
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { axeDefects } from "../testing/axe";
import { Tooltip } from "./Tooltip";

it("describes its control on keyboard focus", async () => {
  render(<main><h1>Page</h1><Tooltip text="Ctrl+Enter"><button type="button">Run</button></Tooltip></main>);
  await userEvent.tab();
  expect(screen.getByRole("button", { name: "Run" })).toHaveAccessibleDescription("Ctrl+Enter");
  expect(await axeDefects()).toEqual([]);
});
