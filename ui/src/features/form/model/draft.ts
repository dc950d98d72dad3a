/**
 * The value that a form edits: an immutable tree that keeps *absent*, *empty*, *null* and a typed
 * value apart, numbers as their source text, and keys in their order.
 *
 * Objects are `Map`s, so a key called `__proto__` is a key like any other. Nothing here knows
 * of schemas.
 */

import { numberProblem, sameNumber } from "./number";

export type Draft = {
  /** The variant of a union that a person picked; absent when structure decides. */
  readonly variant?: number;
} & (
  | {
      readonly kind: "absent";
      /** A key that was added and has no value yet: it keeps its place, and keeps the draft from being sent. */
      readonly added?: true;
    }
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  /** The text as it was typed; it may not be a JSON number yet. */
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "array"; readonly items: readonly Draft[] }
  | { readonly kind: "object"; readonly entries: ReadonlyMap<string, Draft> }
  /** Text typed into a JSON editor that is not JSON yet. */
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

/** The same draft with a picked variant. */
export function picked(draft: Draft, variant: number): Draft {
  return { ...draft, variant };
}

/** One step into a draft. `order` is the schema's order of keys, for a key that is new. */
export interface Step {
  readonly key: string | number;
  readonly order?: readonly string[];
}

/** The child at a key or an index; absent when there is none. */
export function childOf(draft: Draft, key: string | number): Draft {
  if (draft.kind === "object") return draft.entries.get(String(key)) ?? ABSENT;
  if (draft.kind === "array" && typeof key === "number") return draft.items[key] ?? ABSENT;
  return ABSENT;
}

/** The draft at the end of some steps; absent when there is none. */
export function at(draft: Draft, steps: readonly Step[]): Draft {
  let here = draft;
  for (const step of steps) here = childOf(here, step.key);
  return here;
}

/** An object with one field set, or taken away by `ABSENT`. A new key goes to its place in `order`. */
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

/** An array with one item set; items before it that do not exist yet are absent. */
export function withItem(draft: Draft, index: number, value: Draft): Draft {
  const items = draft.kind === "array" ? [...draft.items] : [];
  while (items.length < index) items.push(ABSENT);
  items[index] = value;
  return draft.variant === undefined ? list(items) : picked(list(items), draft.variant);
}

/** An array with its items replaced, the picked variant kept. */
export function withItems(draft: Draft, items: readonly Draft[]): Draft {
  return draft.variant === undefined ? list(items) : picked(list(items), draft.variant);
}

/** The items with one moved to another place. */
export function moved(items: readonly Draft[], from: number, to: number): readonly Draft[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(to, 0, item);
  return next;
}

/** An object with a key renamed in its place; unchanged when the new name is taken. */
export function renamed(draft: ObjectDraft, from: string, to: string): ObjectDraft {
  if (from === to || draft.entries.has(to)) return draft;
  const entries = new Map([...draft.entries].map(([key, value]) => [key === from ? to : key, value]));
  return { ...draft, entries };
}

/** The draft with `change` applied at the end of some steps; objects and arrays on the way are made. */
export function updateAt(draft: Draft, steps: readonly Step[], change: (draft: Draft) => Draft): Draft {
  const [step, ...rest] = steps;
  if (step === undefined) return change(draft);
  const child = updateAt(childOf(draft, step.key), rest, change);
  if (typeof step.key === "number" && draft.kind !== "object") return withItem(draft, step.key, child);
  return withField(draft, String(step.key), child, step.order);
}

/** Whether two drafts are the same JSON value. Numbers are compared as numbers; order of keys is not. */
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

/** A number of a schema that JavaScript's own numbers can't hold; its text is exact. */
export class ExactNumber {
  constructor(readonly text: string) {}
}

/** A value out of `JSON.parse` as a draft; anything that is not JSON is absent. Bounded in depth. */
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
