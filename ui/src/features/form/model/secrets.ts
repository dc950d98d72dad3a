/** Finds the secret values of a draft by its schema, and removes or masks them. */

import { MASK } from "../../../lib/mask";
import { ADDED, ABSENT, childOf, type Draft, text, withField, withItem } from "./draft";
import { drawable } from "./fit";
import type { FormNode } from "./node";
import { childNode, drawnNode } from "./places";

/** Maximum nodes searched for a secret. A larger schema is treated as if it contained one. */
const PLACES_MAX = 5_000;

/** Whether a node or any of its descendants may be secret. */
function mayHoldSecrets(root: FormNode): boolean {
  const seen = new Set<FormNode>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    if (node.secret || seen.size >= PLACES_MAX) return true;
    seen.add(node);
    if (node.kind === "object") {
      open.push(...node.fields.map((field) => field.node()));
      open.push(...(node.extra?.patterns.map((one) => one.node()) ?? []));
      const extra = node.extra?.open?.();
      if (extra !== undefined) open.push(extra);
    } else if (node.kind === "array") {
      open.push(...node.slots.map((slot) => slot()));
      const item = node.item?.();
      if (item !== undefined) open.push(item);
    } else if (node.kind === "union") {
      open.push(...node.variants.map((variant) => variant.node()));
    }
  }
  return false;
}

/**
 * The draft with each secret value replaced by the result of `secret`. Unfinished JSON text, and a value that
 * its node's control can't show, are replaced as a whole if they may contain a secret.
 */
function replaced(node: FormNode, draft: Draft, secret: (held: Draft) => Draft): Draft {
  if (draft.kind === "absent" || draft.kind === "null") return draft;
  if (node.secret) return secret(draft);
  const drawn = drawnNode(node, draft);
  if (drawn.secret) return secret(draft);
  if (draft.kind === "raw" || !drawable(node, draft)) return mayHoldSecrets(node) ? secret(draft) : draft;
  let next: Draft = draft;
  const each = (key: string, held: Draft): Draft | null => {
    const inner = childNode(drawn, draft, key);
    const value = inner === null ? held : replaced(inner, held, secret);
    return value === held ? null : value;
  };
  if (draft.kind === "object") {
    for (const [key, held] of draft.entries) {
      const value = each(key, held);
      if (value !== null) next = withField(next, key, value);
    }
  } else if (draft.kind === "array") {
    for (const index of draft.items.keys()) {
      const value = each(String(index), childOf(draft, index));
      if (value !== null) next = withItem(next, index, value.kind === "absent" ? ADDED : value);
    }
  }
  return next;
}

/** The draft without its secret values, for storage on disk. */
export function withoutSecrets(node: FormNode, draft: Draft): Draft {
  return replaced(node, draft, () => ABSENT);
}

/** The draft with its secret values masked, for display. */
export function masked(node: FormNode, draft: Draft): Draft {
  return replaced(node, draft, () => text(MASK));
}
