/** Maps places of the arguments to places of the form. */

import { anyDrawn } from "./anything";
import { childOf, type Draft, sameValue } from "./draft";
import { drawable, extraNode, variantOf } from "./fit";
import type { ArrayNode, FormNode, Option } from "./node";
import { childPointer, keysOf } from "./pointer";

/**
 * The node that a draft is drawn with: for a union the variant, if there is one, and for a place
 * that takes anything the kind that was picked.
 */
export function drawnNode(node: FormNode, draft: Draft): FormNode {
  let here = node;
  for (let turn = 0; here.kind === "union" && turn < 8; turn += 1) {
    const variant = variantOf(here, draft);
    const inner = variant === null ? undefined : here.variants[variant]?.node();
    if (inner === undefined) return here;
    // A variant that takes anything has no kinds: the variant picked is the union's.
    if (inner.kind === "any") return inner;
    here = inner;
  }
  return here.kind === "any" ? anyDrawn(here, draft) : here;
}

/** The place of a draft among some options; -1 when it is none of them. */
export function indexOf(options: readonly Option[], draft: Draft): number {
  return options.findIndex((option) => sameValue(option.value, draft));
}

/** The options of an array that is drawn as checkboxes; `null` when its value needs rows. */
export function tickable(node: ArrayNode, draft: Draft): readonly Option[] | null {
  if (node.slots.length > 0 || node.item === null) return null;
  const item = node.item();
  if (item.kind !== "choice" || item.nullable) return null;
  if (draft.kind === "absent") return item.options;
  if (draft.kind !== "array") return null;
  const places = draft.items.map((held) => indexOf(item.options, held));
  // A list that must be unique but has duplicates is shown item by item.
  const twice = node.unique && new Set(places).size < places.length;
  return places.includes(-1) || twice ? null : item.options;
}

/** The node of a key of an object or an item of an array; `null` when none is drawn there. */
export function childNode(node: FormNode, draft: Draft, key: string): FormNode | null {
  if (node.kind === "object") {
    const field = node.fields.find((one) => one.key === key);
    if (field !== undefined) return field.node();
    // A key that was not declared has a row only once it is there.
    if (draft.kind !== "object" || !draft.entries.has(key)) return null;
    return extraNode(node.extra, key, childOf(draft, key));
  }
  if (node.kind === "array" && draft.kind === "array" && /^[0-9]+$/.test(key)) {
    const index = Number(key);
    return index < draft.items.length ? ((node.slots[index] ?? node.item)?.() ?? null) : null;
  }
  return null;
}

/** Whether an array is drawn as boxes to tick, or a place as text: nothing inside has a row. */
function isWhole(node: FormNode, draft: Draft): boolean {
  if (!drawable(node, draft) || draft.kind === "null" || draft.kind === "raw") return true;
  if (node.kind === "array") return tickable(node, draft) !== null;
  return node.kind !== "object";
}

/**
 * The place where a form shows a problem at a pointer: the pointer itself if it has a row, otherwise the
 * closest enclosing place with one.
 */
export function shownPlace(node: FormNode, draft: Draft, pointer: string, asJson: ReadonlySet<string>): string {
  let place = "";
  let here = node;
  let held = draft;
  for (const key of keysOf(pointer)) {
    if (asJson.has(place) || isWhole(drawnNode(here, held), held)) return place;
    const drawn = drawnNode(here, held);
    const inner = childNode(drawn, held, key);
    const present = held.kind === "object" && held.entries.has(key);
    if (inner === null && !present) return place;
    place = childPointer(place, key);
    held = held.kind === "array" ? childOf(held, Number(key)) : childOf(held, key);
    if (inner === null) return place;
    here = inner;
  }
  return place;
}

