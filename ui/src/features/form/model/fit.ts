/**
 * Matches values to nodes by structure, to select the control that is shown. Matching runs no validator and no
 * `pattern`; Rust validation decides whether a value is valid.
 */

import { ABSENT, type Draft, type ObjectDraft, sameValue } from "./draft";
import type { ExtraKeys, FormNode, ObjectNode, UnionNode } from "./node";
import { isWhole } from "./number";

const LOOK_DEPTH = 4;
const LOOK_ITEMS = 3;

/** A score for how well a value matches a node; `null` if the node can't show the value. */
export function fit(node: FormNode, draft: Draft, depth = 0): number | null {
  if (draft.kind === "absent") return 0;
  if (draft.kind === "null" && node.nullable) return 1;
  switch (node.kind) {
    case "never":
      return null;
    case "any":
      return 0.1;
    case "const":
      return sameValue(node.value, draft) ? 3 : null;
    case "choice":
      return node.options.some((option) => sameValue(option.value, draft)) ? 2 : null;
    case "string":
      return draft.kind === "string" ? 1 : null;
    case "boolean":
      return draft.kind === "boolean" ? 1 : null;
    case "number":
      if (draft.kind !== "number") return null;
      return node.whole ? (isWhole(draft.text) ? 1.5 : 0.2) : 1;
    case "array": {
      if (draft.kind !== "array") return null;
      if (depth >= LOOK_DEPTH) return 1;
      let score = 1;
      for (const [index, item] of draft.items.slice(0, LOOK_ITEMS).entries()) {
        const inner = (node.slots[index] ?? node.item)?.();
        const found = inner === undefined ? null : fit(inner, item, depth + 1);
        score += found === null ? -2 : Math.min(found, 2) / 4;
      }
      return score;
    }
    case "object":
      return draft.kind === "object" ? objectFit(node, draft, depth) : null;
    case "union": {
      if (depth >= LOOK_DEPTH) return 0.5;
      const scores = node.variants.map((variant) => fit(variant.node(), draft, depth + 1) ?? -Infinity);
      const best = Math.max(...scores);
      return best === -Infinity ? null : best;
    }
  }
}

function objectFit(node: ObjectNode, draft: ObjectDraft, depth: number): number {
  let score = 1;
  const declared = new Map(node.fields.map((field) => [field.key, field]));
  for (const field of node.fields) {
    if (field.required && !draft.entries.has(field.key)) score -= 1.5;
  }
  for (const [key, held] of draft.entries) {
    if (held.kind === "absent") continue;
    const field = declared.get(key);
    if (field === undefined) {
      score -= node.extra === null ? 2 : 0.2;
    } else if (depth >= LOOK_DEPTH) {
      score += 0.5;
    } else {
      const inner = field.node();
      const found = fit(inner, held, depth + 1);
      // A different constant almost always means that the value belongs to another variant.
      score += found === null ? (inner.kind === "const" || inner.kind === "choice" ? -20 : -3) : 0.5 + Math.min(found, 3) / 4;
    }
  }
  return score;
}

/** The index of a value's variant: the picked one, or the best match by structure; `null` if none matches. */
export function variantOf(node: UnionNode, draft: Draft): number | null {
  const picked = draft.variant;
  const choice = picked === undefined ? undefined : node.variants[picked];
  if (picked !== undefined && choice !== undefined && drawable(choice.node(), draft)) return picked;
  if (draft.kind === "absent" || draft.kind === "raw") return null;
  let best: { index: number; score: number } | null = null;
  for (const [index, variant] of node.variants.entries()) {
    const score = fit(variant.node(), draft);
    if (score !== null && (best === null || score > best.score)) best = { index, score };
  }
  return best?.index ?? null;
}

/** Whether a node's control can show a value without changing it. If not, the view shows the value as JSON. */
export function drawable(node: FormNode, draft: Draft): boolean {
  switch (draft.kind) {
    case "absent":
      return true;
    case "raw":
      return node.kind === "any" || (node.kind === "union" && variantOf(node, draft) !== null);
    case "null":
      if (node.nullable) return true;
      break;
    default:
  }
  switch (node.kind) {
    case "never":
      return false;
    case "any":
      return true;
    case "union":
      return variantOf(node, draft) !== null;
    case "string":
      // A browser's text field replaces carriage returns with line feeds.
      return draft.kind === "string" && !draft.value.includes("\r");
    case "object":
    case "array":
    case "boolean":
    case "number":
      return draft.kind === node.kind;
    case "const":
      return fit(node, draft) !== null;
    case "choice":
      // The control also shows strings that are not among the options.
      return draft.kind === "string" || fit(node, draft) !== null;
  }
}

/** The literal prefix of a pattern such as `^x-`; `null` if the pattern contains more than a prefix. */
function literalStart(pattern: string): string | null {
  const found = /^\^([\w\- @:/]+)(?:\.\*)?\$?$/.exec(pattern);
  return found?.[1] !== undefined && (!pattern.endsWith("$") || pattern.endsWith(".*$")) ? found[1] : null;
}

/** The node for a key that no field declares; `null` if the schema does not allow the key. */
export function extraNode(extra: ExtraKeys | null, key: string, draft: Draft = ABSENT): FormNode | null {
  if (extra === null) return null;
  const known = extra.patterns.filter(({ pattern }) => {
    const start = literalStart(pattern);
    return start !== null && key.startsWith(start);
  });
  const unknown = extra.patterns.filter(({ pattern }) => literalStart(pattern) === null);
  const candidates = known.length > 0 ? known : unknown;
  const fitting = candidates.find(({ node }) => fit(node(), draft) !== null) ?? candidates[0];
  // Patterns are never evaluated. If other keys are allowed as well, the value's structure decides which node is used.
  if (fitting !== undefined && (known.length > 0 || extra.open === null || fit(fitting.node(), draft) !== null)) {
    return fitting.node();
  }
  return extra.open?.() ?? null;
}
