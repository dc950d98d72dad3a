/** Derives invalid values from a valid value. Each has one error of a known kind at a known pointer. */

import { childOf, draftOf, type Draft, number, object, text, type Step, updateAt, withField, ABSENT } from "../model/draft";
import { draftFromJson, toJsonText } from "../model/json";
import type { FormNode } from "../model/node";
import { childNode, drawnNode } from "../model/places";
import { childPointer } from "../model/pointer";
import { Random } from "./random";

export interface Broken {
  readonly way: string;
  readonly pointer: string;
  readonly text: string;
}

interface Place {
  readonly node: FormNode;
  readonly draft: Draft;
  readonly pointer: string;
  readonly steps: readonly Step[];
}

function placesOf(place: Place, into: Place[]): void {
  into.push(place);
  const drawn = drawnNode(place.node, place.draft);
  const keys =
    place.draft.kind === "object"
      ? [...place.draft.entries.keys()]
      : place.draft.kind === "array"
        ? place.draft.items.map((_, index) => index)
        : [];
  for (const key of keys) {
    const node = childNode(drawn, place.draft, String(key));
    if (node === null) continue;
    const pointer = childPointer(place.pointer, key);
    placesOf({ node, draft: childOf(place.draft, key), pointer, steps: [...place.steps, { key }] }, into);
  }
}

/** For each kind of error, the changes to a value that probably cause it. A validator confirms that they do. */
const WAYS: Readonly<Record<string, (place: Place) => readonly { pointer: string; draft: Draft }[]>> = {
  "a required field missing": ({ node, draft, pointer }) => {
    const drawn = drawnNode(node, draft);
    if (drawn.kind !== "object" || draft.kind !== "object") return [];
    return drawn.fields
      .filter((field) => field.required && draft.entries.has(field.key))
      .map((field) => ({ pointer: childPointer(pointer, field.key), draft: withField(draft, field.key, ABSENT) }));
  },
  "a wrong type": ({ draft, pointer }) => [
    { pointer, draft: draft.kind === "object" || draft.kind === "array" ? text("not that") : object() },
  ],
  "out of range": ({ draft, pointer }) =>
    draft.kind === "number"
      ? [number("-1000000000000"), number("1000000000000"), number("0.123")].map((wrong) => ({ pointer, draft: wrong }))
      : draft.kind === "string"
        ? [text(""), text("x".repeat(5_000)), text("?")].map((wrong) => ({ pointer, draft: wrong }))
        : [],
  "no such choice": ({ node, draft, pointer }) =>
    node.kind === "choice" || node.kind === "const" ? [{ pointer, draft: draftOf(draft.kind === "string" ? "no such" : "?") }] : [],
};

/** Returns at most one invalid value for each kind of error. */
export function brokenFrom(node: FormNode, valid: string, refuses: (json: string) => boolean, seed: string): readonly Broken[] {
  const whole = draftFromJson(valid);
  const random = new Random(`${seed}/wrong`);
  const places: Place[] = [];
  placesOf({ node, draft: whole, pointer: "", steps: [] }, places);
  const [way] = random.shuffled(Object.keys(WAYS).filter((one) => broken(one) !== null));
  const found = way === undefined ? null : broken(way);
  return found === null ? [] : [found];

  function broken(one: string): Broken | null {
    for (const place of new Random(`${seed}/${one}`).shuffled(places.filter((held) => held.pointer !== "" || one.startsWith("a required")))) {
      for (const { pointer, draft } of WAYS[one]?.(place) ?? []) {
        const written = toJsonText(updateAt(whole, place.steps, () => draft));
        if ("ok" in written && !refuses(written.ok)) return { way: one, pointer, text: written.ok };
      }
    }
    return null;
  }
}
