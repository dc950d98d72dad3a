import { expect, it } from "vitest";

import { foundWords, isConfirmed } from "./found";

it("a list that was found says in what, where, and how likely it is", () => {
  expect(foundWords({ rung: "openai-functions", stream: "stderr", confidence: "high" })).toMatchInlineSnapshot(`"found in a list of OpenAI functions on its stderr: most likely its tools"`);
  expect(foundWords({ rung: "auto-approve", stream: null, confidence: "fair" })).toMatchInlineSnapshot(`"found in the names that its manifest approves: likely its tools"`);
});

it("only what the server itself answered is confirmed", () => {
  expect(isConfirmed(null)).toBe(true);
  expect(isConfirmed({ rung: "no-handshake", stream: null, confidence: "certain" })).toBe(true);
  expect(isConfirmed({ rung: "json-lines", stream: "stdout", confidence: "fair" })).toBe(false);
});
