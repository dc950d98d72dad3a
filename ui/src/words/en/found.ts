import type { Confidence, Rung } from "../../bridge/bindings";

const rungs: Record<Rung, string> = {
  initialize: "the server's answer",
  "no-handshake": "the server's answer without a handshake",
  "openai-functions": "a list of OpenAI functions",
  "tools-array": "a list of tools that is no answer",
  "json-lines": "JSON objects, one a line",
  declarations: "declarations of functions",
  identifiers: "words that look like names of tools",
  "auto-approve": "the names that its manifest approves",
  prediction: "what a model takes for its tools",
};

const confidence: Record<Confidence, string> = {
  certain: "certain",
  high: "most likely its tools",
  fair: "likely its tools",
  low: "perhaps its tools",
  guess: "a guess",
};

export const en = {
  /** The ways in which a tool list may be found, in the order in which they are tried. */
  rungs,
  found: (rung: Rung, stream: string | null, sure: Confidence) =>
    `found in ${rungs[rung]}${stream === null ? "" : ` on its ${stream}`}: ${confidence[sure]}`,
};
