/**
 * Serializes drafts and reads them again without loss: unfinished text, a picked variant, a key without a
 * value, and all digits of a number. Input is not trusted.
 */

import { MASK } from "../../../lib/mask";
import type { Draft } from "./draft";

/** The longest text that is written or read, in bytes of UTF-8. */
export const DRAFT_BYTES_MAX = 1024 * 1024;
/** Maximum nesting of a draft. */
const DEPTH_MAX = 160;
const VERSION = 1;

/** One draft: a letter for its kind, what it holds, and the picked variant where there is one. */
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

/** A draft as text; `null` when it is too large or too deep to be kept. */
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
      // A secret that was masked when the draft was kept is a gap: the mask is never sent.
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

/** The draft that a text was written of; `null` for any other text. */
export function draftFromText(text: string): Draft | null {
  // Each unit of a text is at least one byte.
  if (text.length > DRAFT_BYTES_MAX) return null;
  try {
    const whole: unknown = JSON.parse(text);
    if (typeof whole !== "object" || whole === null || !("v" in whole) || whole.v !== VERSION || !("draft" in whole)) return null;
    return read(whole.draft, 0);
  } catch {
    return null;
  }
}
