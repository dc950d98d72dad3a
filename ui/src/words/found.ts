/** How a tool list was found that a server did not say in the protocol's way. */
import type { FoundBy } from "../bridge/bindings";
import { chosen } from "./chosen";
import { de } from "./de/found";
import { en } from "./en/found";

const words = chosen({ en, de });

/** The ways in the order in which they are tried. */
export const WAYS: readonly string[] = Object.values(words.rungs);

/** Whether tools found so can be called: the server itself answered. */
export function isConfirmed(found: FoundBy | null): boolean {
  return found === null || found.rung === "initialize" || found.rung === "no-handshake";
}

/** `found in a list of OpenAI functions on its stdout: most likely its tools`. */
export function foundWords({ rung, stream, confidence }: FoundBy): string {
  return words.found(rung, stream, confidence);
}
