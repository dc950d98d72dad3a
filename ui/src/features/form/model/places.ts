/** Maps the JSON Pointers of argument values to the rows that the form shows. */

import { anyDrawn } from "./anything";
import { childOf, type Draft, sameValue } from "./draft";
import { drawable, extraNode, variantOf } from "./fit";
import type { ArrayNode, FormNode, Option } from "./node";
import { childPointer, keysOf } from "./pointer";

/**
 * The node whose control shows a draft: the variant of a union, the picked kind of an `any` node, otherwise the
 * node itself.
 */
export function drawnNode(node: FormNode, draft: Draft): FormNode {
  let here = node;
  for (let turn = 0; here.kind === "union" && turn < 8; turn += 1) {
    const variant = variantOf(here, draft);
    const inner = variant === null ? undefined : here.variants[variant]?.node();
    if (inner === undefined) return here;
    // An `any` node inside a union offers no kinds, because the draft's picked variant belongs to the union.
    if (inner.kind === "any") return inner;
    here = inner;
  }
  return here.kind === "any" ? anyDrawn(here, draft) : here;
}

/** The index of the option that equals a draft; -1 if no option does. */
export function indexOf(options: readonly Option[], draft: Draft): number {
  return options.findIndex((option) => sameValue(option.value, draft));
}

/** The options of a list that is shown as checkboxes; `null` if the list is shown as rows. */
export function tickable(node: ArrayNode, draft: Draft): readonly Option[] | null {
  if (node.slots.length > 0 || node.item === null) return null;
  const item = node.item();
  if (item.kind !== "choice" || item.nullable) return null;
  if (draft.kind === "absent") return item.options;
  if (draft.kind !== "array") return null;
  const places = draft.items.map((held) => indexOf(item.options, held));
  // Checkboxes can't show duplicates of a list with `uniqueItems`, so such a list is shown as rows.
  const twice = node.unique && new Set(places).size < places.length;
  return places.includes(-1) || twice ? null : item.options;
}

/** The node of an object's key or an array's item; `null` if the form has no row for it. */
export function childNode(node: FormNode, draft: Draft, key: string): FormNode | null {
  if (node.kind === "object") {
    const field = node.fields.find((one) => one.key === key);
    if (field !== undefined) return field.node();
    // An undeclared key has a row only while it exists in the draft.
    if (draft.kind !== "object" || !draft.entries.has(key)) return null;
    return extraNode(node.extra, key, childOf(draft, key));
  }
  if (node.kind === "array" && draft.kind === "array" && /^[0-9]+$/.test(key)) {
    const index = Number(key);
    return index < draft.items.length ? ((node.slots[index] ?? node.item)?.() ?? null) : null;
  }
  return null;
}

/** Whether one control shows a whole value, such as checkboxes or a text field, so that no descendant has a row. */
function isWhole(node: FormNode, draft: Draft): boolean {
  if (!drawable(node, draft) || draft.kind === "null" || draft.kind === "raw") return true;
  if (node.kind === "array") return tickable(node, draft) !== null;
  return node.kind !== "object";
}

/**
 * The pointer of the row that shows a problem: the row of the problem's value, or of the closest ancestor
 * that has a row.
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

