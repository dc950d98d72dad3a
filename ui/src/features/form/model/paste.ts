/** JSON from elsewhere, taken into a form: in the place of what is there, or beside it. */

import { type Draft, sameValue } from "./draft";
import { parseJson } from "./json";

export interface Pasted {
  readonly draft: Draft;
  /** The keys that the form has with another value. */
  readonly changed: readonly string[];
  /** The keys that it does not have. */
  readonly added: readonly string[];
  /** The keys that only it has: a replacement takes them away. */
  readonly kept: readonly string[];
}

/** Reads pasted arguments and returns their effect on a draft, or the reason they can't be used. */
export function readPaste(source: string, draft: Draft): Pasted | { problem: string } {
  const read = parseJson(source);
  if ("problem" in read) {
    const { line, column, message } = read.problem;
    return { problem: `Line ${line}, column ${column}: ${message}` };
  }
  const { ok } = read;
  if (ok.kind !== "object") return { problem: "Arguments are one object, in braces." };
  const before = draft.kind === "object" ? draft.entries : new Map<string, Draft>();
  const holds = (key: string) => (before.get(key) ?? { kind: "absent" }).kind !== "absent";
  const keys = [...ok.entries];
  return {
    draft: ok,
    changed: keys.filter(([key, held]) => holds(key) && !sameValue(held, before.get(key) ?? held)).map(([key]) => key),
    added: keys.filter(([key]) => !holds(key)).map(([key]) => key),
    kept: [...before.keys()].filter((key) => holds(key) && !ok.entries.has(key)),
  };
}

/** The draft with the pasted keys; its other keys stay. */
export function mergedWith(draft: Draft, pasted: Draft): Draft {
  if (draft.kind !== "object" || pasted.kind !== "object") return pasted;
  return { ...draft, entries: new Map([...draft.entries, ...pasted.entries]) };
}

/** Whether a text looks as if arguments were meant by it. */
export function looksLikeArguments(source: string): boolean {
  return /^\s*\{/.test(source) && "ok" in parseJson(source);
}
