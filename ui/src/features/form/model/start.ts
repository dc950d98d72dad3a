/** Computes a form's initial values, and fills in defaults when the user asks for them. */

import { ABSENT, ADDED, at, childOf, type Draft, list, object, picked, text, withField, withItem } from "./draft";
import { drawable, extraNode, variantOf } from "./fit";
import type { FormNode, UnionNode } from "./node";

/** Maximum depth of required objects that are created in advance. Deeper ones are created when the user opens them. */
const DEPTH_MAX = 8;

/** The default of a node; `undefined` if the node has none, or if its control can't show the default. */
export function fallbackOf(node: FormNode): Draft | undefined {
  return node.fallback !== undefined && drawable(node, node.fallback) ? node.fallback : undefined;
}

/**
 * The initial value of a required field: its default, its constant, or an object with its required fields;
 * otherwise absent. The recursion stops at a node that contains itself.
 */
export function initialDraft(node: FormNode, chain: readonly FormNode[] = []): Draft {
  const fallback = fallbackOf(node);
  if (fallback !== undefined) return fallback;
  if (node.kind === "const") return node.value;
  // The user has to decide between null and an object.
  if (node.nullable) return ABSENT;
  if (node.kind !== "object" || chain.includes(node) || chain.length >= DEPTH_MAX) return ABSENT;
  const inner = [...chain, node];
  const entries: [string, Draft][] = [];
  for (const field of node.fields) {
    if (!field.required) continue;
    const value = initialDraft(field.node(), inner);
    if (value.kind !== "absent") entries.push([field.key, value]);
  }
  return object(entries);
}

/**
 * The value of a list item or a key that the user just added: the initial value, or an empty list or object.
 * A string stays absent until the user types, because an empty string must be a deliberate choice.
 */
export function addedOf(node: FormNode): Draft {
  const start = initialDraft(node);
  if (start.kind !== "absent") return start;
  return (node.kind === "string" ? null : emptyOf(node)) ?? ADDED;
}

/** The empty value of a node; `null` if nodes of this kind have no empty value. */
export function emptyOf(node: FormNode): Draft | null {
  if (node.kind === "string") return text("");
  if (node.kind === "array") return list([]);
  if (node.kind === "object") return initialDraft({ ...node, fallback: undefined, nullable: false });
  return null;
}

/**
 * The value after the user picks another variant of a union. The value keeps all fields that both variants have, and
 * gets the constants of the new variant. `kept` is the last value of the new variant, from which the variant's other
 * fields are restored.
 */
export function switched(node: UnionNode, draft: Draft, to: number, kept?: Draft): Draft {
  const target = node.variants[to]?.node();
  if (target === undefined) return draft;
  let next = kept ?? initialDraft(target);
  if (target.kind === "object" && draft.kind === "object") {
    const from = kept === undefined ? null : variantOf(node, draft);
    const left = from === null ? undefined : node.variants[from]?.node();
    const cleared = new Set(left?.kind === "object" ? left.order.filter((key) => !draft.entries.has(key)) : []);
    for (const field of target.fields) {
      const held = childOf(draft, field.key);
      const inner = field.node();
      if (held.kind !== "absent" && inner.kind !== "const" && drawable(inner, held)) {
        next = withField(next, field.key, held, target.order);
      } else if (cleared.has(field.key)) {
        next = withField(next, field.key, ABSENT);
      }
    }
  } else if (draft.kind !== "absent" && draft.kind === target.kind && drawable(target, draft)) {
    next = draft;
  }
  return picked(next, to);
}

/** Writes the default into every absent field that has one. Existing values are not changed. */
export function fillDefaults(node: FormNode, draft: Draft, chain: readonly FormNode[] = []): Draft {
  if (draft.kind === "raw" || draft.kind === "null" || chain.length >= DEPTH_MAX) return draft;
  if (draft.kind === "absent") {
    const fallback = fallbackOf(node);
    if (fallback !== undefined) return fallback;
  }
  const inner = [...chain, node];
  if (node.kind === "union") {
    const variant = variantOf(node, draft);
    const target = variant === null ? undefined : node.variants[variant]?.node();
    return target === undefined ? draft : fillDefaults(target, draft, inner);
  }
  if (node.kind === "object") {
    if (draft.kind === "absent" && chain.includes(node)) return draft;
    let next: Draft = draft;
    for (const field of node.fields) {
      const held = at(next, [{ key: field.key }]);
      const filled = fillDefaults(field.node(), held, inner);
      if (filled !== held) next = withField(next, field.key, filled, node.order);
    }
    if (draft.kind !== "object") return next;
    const declared = new Set(node.order);
    for (const [key, held] of draft.entries) {
      const extra = declared.has(key) ? null : extraNode(node.extra, key, held);
      if (extra !== null) next = withField(next, key, fillDefaults(extra, held, inner));
    }
    return next;
  }
  if (node.kind === "array" && draft.kind === "array") {
    let next: Draft = draft;
    for (const [index, item] of draft.items.entries()) {
      const of = (node.slots[index] ?? node.item)?.();
      const filled = of === undefined ? item : fillDefaults(of, item, inner);
      if (filled !== item) next = withItem(next, index, filled);
    }
    return next;
  }
  return draft;
}
