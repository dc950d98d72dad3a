/**
 * A place of which the schema says nothing: it takes any JSON, and can be filled as a text, a
 * number, a list or an object of such places.
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

/** The kinds of values for such a place. The index of a kind is the draft's variant. */
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

/** The kind that was picked for such a place, as long as its control can show the value. */
export function kindOf(draft: Draft): number {
  const kind = ANY_KINDS[draft.variant ?? 0];
  return kind !== undefined && drawable(kind.node, draft) ? (draft.variant ?? 0) : 0;
}

/** The node that such a place is drawn with. */
export function anyDrawn(node: AnyNode, draft: Draft): FormNode {
  const kind = kindOf(draft);
  return kind === 0 ? node : (ANY_KINDS[kind]?.node ?? node);
}
