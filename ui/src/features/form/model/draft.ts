/**
 * The value that a form edits: an immutable tree that distinguishes absent, empty and null values, stores
 * numbers as the text that the user typed, and keeps the order of keys.
 *
 * Objects are `Map`s, so that `__proto__` is an ordinary key. This module does not depend on schemas.
 */

import { numberProblem, sameNumber } from "./number";

export type Draft = {
  /** The index of the variant that the user picked for a union. If absent, the value's structure decides. */
  readonly variant?: number;
} & (
  | {
      readonly kind: "absent";
      /** Whether the user added this key or item without a value yet. Its row stays, and the draft can't be sent. */
      readonly added?: true;
    }
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  /** The text that the user typed, which may not be a valid JSON number yet. */
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "array"; readonly items: readonly Draft[] }
  | { readonly kind: "object"; readonly entries: ReadonlyMap<string, Draft> }
  /** Text from a JSON editor that is not valid JSON yet. `problem` is the error message. */
  | { readonly kind: "raw"; readonly text: string; readonly problem: string }
);
export type ObjectDraft = Extract<Draft, { kind: "object" }>;

export const ABSENT: Draft = { kind: "absent" };
export const ADDED: Draft = { kind: "absent", added: true };
export const NULL: Draft = { kind: "null" };

export function text(value: string): Draft {
  return { kind: "string", value };
}
export function number(source: string): Draft {
  return { kind: "number", text: source };
}
export function flag(value: boolean): Draft {
  return { kind: "boolean", value };
}
export function list(items: readonly Draft[]): Draft {
  return { kind: "array", items };
}
export function object(entries: Iterable<readonly [string, Draft]> = []): ObjectDraft {
  return { kind: "object", entries: new Map(entries) };
}

/** The same draft with a variant marked as picked. */
export function picked(draft: Draft, variant: number): Draft {
  return { ...draft, variant };
}

/** One step from a draft to a child. `order` is the schema's order of keys; it positions a new key. */
export interface Step {
  readonly key: string | number;
  readonly order?: readonly string[];
}

/** The child at a key or an index; absent without such a child. */
export function childOf(draft: Draft, key: string | number): Draft {
  if (draft.kind === "object") return draft.entries.get(String(key)) ?? ABSENT;
  if (draft.kind === "array" && typeof key === "number") return draft.items[key] ?? ABSENT;
  return ABSENT;
}

/** The descendant that the steps lead to; absent if it does not exist. */
export function at(draft: Draft, steps: readonly Step[]): Draft {
  let here = draft;
  for (const step of steps) here = childOf(here, step.key);
  return here;
}

/** An object with one field set, or removed if `value` is `ABSENT`. A new key is inserted according to `order`. */
export function withField(draft: Draft, key: string, value: Draft, order?: readonly string[]): Draft {
  const base: ObjectDraft = draft.kind === "object" ? draft : object();
  const pick = draft.variant === undefined ? {} : { variant: draft.variant };
  if (value.kind === "absent" && value.variant === undefined && value.added === undefined) {
    if (!base.entries.has(key)) return draft;
    const entries = new Map(base.entries);
    entries.delete(key);
    return { kind: "object", entries, ...pick };
  }
  const place = order?.indexOf(key) ?? -1;
  if (base.entries.has(key) || place < 0) {
    return { kind: "object", entries: new Map(base.entries).set(key, value), ...pick };
  }
  const later = new Set(order?.slice(place + 1));
  const entries = new Map<string, Draft>();
  for (const [name, held] of base.entries) {
    if (!entries.has(key) && later.has(name)) entries.set(key, value);
    entries.set(name, held);
  }
  if (!entries.has(key)) entries.set(key, value);
  return { kind: "object", entries, ...pick };
}

/** An array with one item set. Missing items before the index become absent. */
export function withItem(draft: Draft, index: number, value: Draft): Draft {
  const items = draft.kind === "array" ? [...draft.items] : [];
  while (items.length < index) items.push(ABSENT);
  items[index] = value;
  return draft.variant === undefined ? list(items) : picked(list(items), draft.variant);
}

/** An array with all items replaced. Its picked variant is kept. */
export function withItems(draft: Draft, items: readonly Draft[]): Draft {
  return draft.variant === undefined ? list(items) : picked(list(items), draft.variant);
}

/** A copy of the items in which one item has moved to another index. */
export function moved(items: readonly Draft[], from: number, to: number): readonly Draft[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(to, 0, item);
  return next;
}

/** An object with one key renamed at its position; unchanged if the new name is taken. */
export function renamed(draft: ObjectDraft, from: string, to: string): ObjectDraft {
  if (from === to || draft.entries.has(to)) return draft;
  const entries = new Map([...draft.entries].map(([key, value]) => [key === from ? to : key, value]));
  return { ...draft, entries };
}

/** The draft with `change` applied to the descendant that the steps lead to. Missing parents are created. */
export function updateAt(draft: Draft, steps: readonly Step[], change: (draft: Draft) => Draft): Draft {
  const [step, ...rest] = steps;
  if (step === undefined) return change(draft);
  const child = updateAt(childOf(draft, step.key), rest, change);
  if (typeof step.key === "number" && draft.kind !== "object") return withItem(draft, step.key, child);
  return withField(draft, String(step.key), child, step.order);
}

/** Whether two drafts are the same JSON value. Numbers are compared by value; the order of keys is ignored. */
export function sameValue(a: Draft, b: Draft): boolean {
  if (a === b) return true;
  if (a.kind === "null" || a.kind === "absent") return a.kind === b.kind;
  if (a.kind === "boolean") return b.kind === "boolean" && a.value === b.value;
  if (a.kind === "string") return b.kind === "string" && a.value === b.value;
  if (a.kind === "raw") return b.kind === "raw" && a.text === b.text;
  if (a.kind === "number") {
    if (b.kind !== "number") return false;
    return numberProblem(a.text) === null && numberProblem(b.text) === null
      ? sameNumber(a.text, b.text)
      : a.text === b.text;
  }
  if (a.kind === "array") {
    if (b.kind !== "array" || a.items.length !== b.items.length) return false;
    return a.items.every((item, index) => sameValue(item, b.items[index] ?? ABSENT));
  }
  if (b.kind !== "object") return false;
  const present = (draft: ObjectDraft) => [...draft.entries].filter(([, held]) => held.kind !== "absent");
  const mine = present(a);
  return mine.length === present(b).length && mine.every(([key, held]) => sameValue(held, childOf(b, key)));
}

/** A number of a schema that a JavaScript number can't represent exactly. `text` has all digits. */
export class ExactNumber {
  constructor(readonly text: string) {}
}

/** Converts a value from `JSON.parse` to a draft. Values that are not JSON, or deeper than 64 levels, become absent. */
export function draftOf(value: unknown, depth = 0): Draft {
  if (depth > 64) return ABSENT;
  if (value === null) return NULL;
  if (typeof value === "string") return text(value);
  if (typeof value === "boolean") return flag(value);
  if (typeof value === "number") return number(Object.is(value, -0) ? "-0" : String(value));
  if (value instanceof ExactNumber) return number(value.text);
  if (Array.isArray(value)) return list(value.map((item: unknown) => draftOf(item, depth + 1)));
  if (typeof value === "object") {
    return object(Object.entries(value).map(([key, held]) => [key, draftOf(held, depth + 1)] as const));
  }
  return ABSENT;
}
