/** Texts about fallback discovery: how a tool list was found if the server did not answer `tools/list`. */
import type { Confidence, FoundBy, Rung } from "../../ipc/bindings";

const rungs: Record<Rung, string> = {
  initialize: "the server's answer",
  "no-handshake": "the server's answer without a handshake",
  "openai-functions": "a list of OpenAI functions",
  "tools-array": "a list of tools outside of an answer",
  "json-lines": "JSON objects, one a line",
  declarations: "declarations of functions",
  identifiers: "words that look like names of tools",
  "auto-approve": "the names that its manifest approves",
  prediction: "what a model takes for its tools",
};

const sure: Record<Confidence, string> = {
  certain: "certain",
  high: "most likely its tools",
  fair: "likely its tools",
  low: "perhaps its tools",
  guess: "a guess",
};

/** The texts of all discovery methods, in the order in which the engine tries them. */
export const WAYS: readonly string[] = Object.values(rungs);

/** Whether the tools can be called, because the server itself listed them. */
export function isConfirmed(found: FoundBy | null): boolean {
  return found === null || found.rung === "initialize" || found.rung === "no-handshake";
}

/** Describes the discovery method: `found in a list of OpenAI functions on its stdout: most likely its tools`. */
export function foundWords({ rung, stream, confidence }: FoundBy): string {
  return `found in ${rungs[rung]}${stream === null ? "" : ` on its ${stream}`}: ${sure[confidence]}`;
}
