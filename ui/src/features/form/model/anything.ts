/**
 * Editing of values without a schema. Such a value can be any JSON; the user edits it as JSON text, or picks a
 * kind, such as string, number, list or object, whose control is shown instead.
 */

import { type Draft, NULL } from "./draft";
import { drawable } from "./fit";
import { TYPE_WORDS } from "./labels";
import { type AnyNode, anyNode, type FormNode, SILENT } from "./node";

const inner = anyNode(SILENT);

interface AnyKind {
  readonly label: string;
  readonly node: FormNode;
}

/** The kinds that the user can pick for a value without a schema. The draft's `variant` is an index into this list. */
export const ANY_KINDS: readonly AnyKind[] = [
  { label: "JSON", node: inner },
  { label: TYPE_WORDS.string, node: { ...SILENT, kind: "string", style: "line", hint: undefined, format: undefined, patterned: false } },
  { label: TYPE_WORDS.number, node: { ...SILENT, kind: "number", whole: false } },
  { label: TYPE_WORDS.boolean, node: { ...SILENT, kind: "boolean" } },
  { label: TYPE_WORDS.null, node: { ...SILENT, kind: "const", value: NULL } },
  { label: TYPE_WORDS.array, node: { ...SILENT, kind: "array", slots: [], item: () => inner, unique: false } },
  {
    label: TYPE_WORDS.object,
   
    node: {
      ...SILENT,
      kind: "object",
      fields: [],
      rules: [],
      order: [],
      extra: { patterns: [], open: () => inner, untyped: true, names: undefined },
    },
  },
];

/** The index of the picked kind, or 0 (JSON) if none is picked or its control can't show the value. */
export function kindOf(draft: Draft): number {
  const kind = ANY_KINDS[draft.variant ?? 0];
  return kind !== undefined && drawable(kind.node, draft) ? (draft.variant ?? 0) : 0;
}

/** The node whose control shows a value without a schema. */
export function anyDrawn(node: AnyNode, draft: Draft): FormNode {
  const kind = kindOf(draft);
  return kind === 0 ? node : (ANY_KINDS[kind]?.node ?? node);
}
