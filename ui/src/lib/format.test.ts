import { expect, it } from "vitest";

import { counted, decimal, listed } from "./format";

const tools = { one: "tool", other: "tools" };

it("numbers_and_lists_follow_british_english", () => {
  expect([counted(1, tools), counted(2_000, tools), counted(0, tools)]).toEqual(["1 tool", "2,000 tools", "0 tools"]);
  expect(listed(["a", "b", "c"])).toBe("a, b and c");
  expect(decimal(3.24, 1)).toBe("3.2");
});
