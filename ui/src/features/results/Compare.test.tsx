import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { textOf } from "../../testing/text";
import { Compare } from "./Compare";

const side = (title: string, text: string) => ({ title, text: JSON.stringify({ content: [{ type: "text", text }] }) });
const summary = async () => textOf(await screen.findByTestId("comparison-summary"));

it("shows changed lines of two texts", async () => {
  const many = (word: string) => [...Array.from({ length: 30 }, (_, index) => `line ${index}`), word, "end"].join("\n");
  render(<Compare left={side("#1", many("two"))} right={side("#2", many("2"))} />);
  expect(await summary()).toBe("+ 1 line added, − 1 line removed");
  const shown = screen.getByRole("textbox", { name: "Differences" });
  expect(shown).toHaveTextContent("two");
  expect(shown).not.toHaveTextContent("line 9");
  await userEvent.setup().click(screen.getByRole("button", { name: "All lines" }));
  expect(screen.getByRole("textbox", { name: "Differences" })).toHaveTextContent("line 9");
});

it("formats JSON before it is compared, digit for digit", async () => {
  render(<Compare left={side("#1", '{"a":[1,9007199254740993]}')} right={side("#2", '{ "a": [1, 9007199254740992] }')} />);
  expect(await summary()).toBe("+ 1 line added, − 1 line removed");
});

it("equal results have no differences", async () => {
  render(<Compare left={side("#1", "same")} right={side("#2", "same")} />);
  expect(await summary()).toBe("No differences");
});

it("text that isn't JSON is compared as it is", async () => {
  render(<Compare left={{ title: "#1", text: "{broken" }} right={side("#2", "same")} />);
  expect(await summary()).toBe("+ 1 line added, − 1 line removed");
});

it("compares 16 MiB, and draws a screenful", async () => {
  const lines = (word: string) => Array.from({ length: 800_000 }, (_, index) => `${word} ${index}`).join("\n");
  render(<Compare left={{ title: "#1", text: lines("a number and its") }} right={{ title: "#2", text: lines("another word of") }} />);
  const found = await screen.findByTestId("comparison-summary", undefined, { timeout: 240_000 });
  expect(found).toHaveTextContent("800,000 lines removed");
  const before = screen.getByRole("textbox", { name: "Differences, before" });
  expect(before).toBeVisible();
  expect(before.querySelectorAll(".cm-line").length).toBeLessThan(2_000);
});
