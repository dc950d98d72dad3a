/**
 * Serializes drafts for storage and parses them without loss: unfinished text, picked variants, keys without a
 * value, and all digits of numbers are preserved. The parser treats its input as untrusted.
 */

import { MASK } from "../../../lib/mask";
import type { Draft } from "./draft";

/** Maximum size of a serialized draft, in bytes of UTF-8. */
export const DRAFT_BYTES_MAX = 1024 * 1024;
/** Maximum nesting of a draft. */
const DEPTH_MAX = 160;
const VERSION = 1;

/** One serialized draft: a letter for its kind, its content, and the index of the picked variant if any. */
type Written = readonly [string, unknown?, number?];

function write(draft: Draft, depth: number): Written {
  if (depth > DEPTH_MAX) throw new RangeError("too deep");
  const { variant } = draft;
  const as = (letter: string, held: unknown): Written => (variant === undefined ? [letter, held] : [letter, held, variant]);
  switch (draft.kind) {
    case "absent":
      return as("-", draft.added === true ? 1 : 0);
    case "null":
      return as("n", 0);
    case "boolean":
      return as("b", draft.value ? 1 : 0);
    case "number":
      return as("#", draft.text);
    case "string":
      return as("s", draft.value);
    case "array":
      return as("l", draft.items.map((item) => write(item, depth + 1)));
    case "object":
      return as("o", [...draft.entries].map(([key, held]) => [key, write(held, depth + 1)]));
    case "raw":
      return as("r", [draft.text, draft.problem]);
  }
}

/** Serializes a draft; `null` if it is too large or too deeply nested to be stored. */
export function draftToText(draft: Draft): string | null {
  try {
    const text = JSON.stringify({ v: VERSION, draft: write(draft, 0) });
    return new TextEncoder().encode(text).length > DRAFT_BYTES_MAX ? null : text;
  } catch {
    return null;
  }
}

class NoDraft extends Error {}

function fail(): never {
  throw new NoDraft();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : fail();
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : fail();
}

function flagOf(value: unknown): boolean {
  return value === 1 || (value === 0 ? false : fail());
}

function read(written: unknown, depth: number): Draft {
  if (depth > DEPTH_MAX) fail();
  const [letter, held, variant, ...more] = listOf(written);
  if (more.length > 0) fail();
  const known = typeof variant === "number" && Number.isSafeInteger(variant) && variant >= 0;
  if (variant !== undefined && !known) fail();
  const pick = known ? { variant } : {};
  switch (letter) {
    case "-":
      return flagOf(held) ? { kind: "absent", added: true, ...pick } : { kind: "absent", ...pick };
    case "n":
      return { kind: "null", ...pick };
    case "b":
      return { kind: "boolean", value: flagOf(held), ...pick };
    case "#":
      return { kind: "number", text: textOf(held), ...pick };
    case "s": {
      const value = textOf(held);
      // The stored draft has a mask instead of a secret. The value becomes absent, so that the mask is never sent.
      return value.includes(MASK) ? { kind: "absent", added: true, ...pick } : { kind: "string", value, ...pick };
    }
    case "l":
      return { kind: "array", items: listOf(held).map((item) => read(item, depth + 1)), ...pick };
    case "o": {
      const entries = new Map<string, Draft>();
      for (const entry of listOf(held)) {
        const [key, inner, ...rest] = listOf(entry);
        if (rest.length > 0 || entries.has(textOf(key))) fail();
        entries.set(textOf(key), read(inner, depth + 1));
      }
      return { kind: "object", entries, ...pick };
    }
    case "r": {
      const [text, problem] = listOf(held);
      return { kind: "raw", text: textOf(text), problem: textOf(problem), ...pick };
    }
    default:
      return fail();
  }
}

/** Parses a serialized draft; `null` if the text is not a serialized draft. */
export function draftFromText(text: string): Draft | null {
  // Each UTF-16 code unit needs at least one byte in UTF-8.
  if (text.length > DRAFT_BYTES_MAX) return null;
  try {
    const whole: unknown = JSON.parse(text);
    if (typeof whole !== "object" || whole === null || !("v" in whole) || whole.v !== VERSION || !("draft" in whole)) return null;
    return read(whole.draft, 0);
  } catch {
    return null;
  }
}
