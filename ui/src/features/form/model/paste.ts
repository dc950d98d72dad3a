/** Reads pasted JSON, which replaces the values of a form or is merged into them. */

import { type Draft, sameValue } from "./draft";
import { parseJson } from "./json";

export interface Pasted {
  readonly draft: Draft;
  /** The keys that have different values in the form and in the pasted JSON. */
  readonly changed: readonly string[];
  /** The keys that only the pasted JSON has. */
  readonly added: readonly string[];
  /** The keys that only the form has. Replacing removes them; merging keeps them. */
  readonly kept: readonly string[];
}

/** Parses pasted arguments and compares them with a draft. Returns the problem if they can't be used. */
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

/** The draft with the pasted keys added or replaced. */
export function mergedWith(draft: Draft, pasted: Draft): Draft {
  if (draft.kind !== "object" || pasted.kind !== "object") return pasted;
  return { ...draft, entries: new Map([...draft.entries, ...pasted.entries]) };
}

/** Whether a text is a JSON object, and so can be pasted as arguments. */
export function looksLikeArguments(source: string): boolean {
  return /^\s*\{/.test(source) && "ok" in parseJson(source);
}
