import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { textOf } from "../../testing/text";
import { Compare, COMPARED_MAX } from "./Compare";

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

const lines = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word} ${index}`).join("\n");

it("compares the largest texts, and draws a screenful", async () => {
  render(<Compare left={{ title: "#1", text: lines("a number and its", 80_000) }} right={{ title: "#2", text: lines("another word of", 80_000) }} />);
  const found = await screen.findByTestId("comparison-summary", undefined, { timeout: 60_000 });
  expect(found).toHaveTextContent("80,000 lines removed");
  const before = screen.getByRole("textbox", { name: "Differences, before" });
  expect(before).toBeVisible();
  expect(before.querySelectorAll(".cm-line").length).toBeLessThan(2_000);
});

it("shows two results of 16 MiB one at a time, without a comparison", async () => {
  const [left, right] = [lines("a number and its", 800_000), lines("another word of", 800_000)];
  expect(left.length + right.length).toBeGreaterThan(COMPARED_MAX);
  render(<Compare left={{ title: "#1", text: left }} right={{ title: "#2", text: right }} />);
  expect(textOf(await screen.findByTestId("comparison-too-large", undefined, { timeout: 60_000 }))).toBe(
    "These results are too large to compare: together more than 4,000,000 characters.",
  );
  expect(screen.queryByTestId("comparison-summary")).toBeNull();
  for (const [title, word] of [["#1", "a number and its 0"], ["#2", "another word of 0"]] as const) {
    await userEvent.setup().click(screen.getByRole("radio", { name: title }));
    const shown = await screen.findByRole("textbox", { name: `Result ${title}` }, { timeout: 60_000 });
    expect(shown).toHaveTextContent(word);
    expect(shown.querySelectorAll(".cm-line").length).toBeLessThan(2_000);
  }
});
