/**
 * The form's model: a tree of nodes, one for each subschema. Nodes create their children lazily, so a
 * subschema is not read before the user opens its field.
 */

import type { Rule } from "./conditions";
import type { Draft } from "./draft";

/** A value that is computed on the first call and cached. */
export type Lazy<T> = () => T;

/** The annotations that nodes of all kinds have. */
export interface NodeWords {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The default. The form writes it only into a required field, or when the user chooses to fill in defaults. */
  readonly fallback: Draft | undefined;
  readonly examples: readonly Draft[];
  /** Whether null is allowed besides the values of the node's kind. */
  readonly nullable: boolean;
  /** Whether the control masks the value: the schema has `format: "password"` or `writeOnly`. */
  readonly secret: boolean;
  readonly deprecated: boolean;
  /** The limits as text for the user, such as "at most 10 items". */
  readonly constraints: readonly string[];
  /** Messages about keywords of the subschema that the form could not use. */
  readonly warnings: readonly string[];
}

/** The kind of control for a string: one line, several lines, or a file that is sent as base64. */
export type TextStyle = "line" | "lines" | "base64";

export interface StringNode extends NodeWords {
  readonly kind: "string";
  readonly style: TextStyle;
  /** An example of the format, such as an ISO date for `date`. */
  readonly hint: string | undefined;
  readonly format: string | undefined;
  /** Whether the string has to match a `pattern`. */
  readonly patterned: boolean;
  /** The description of the list, if this node is the item of a list. */
  readonly listDescription?: string | undefined;
}
export interface NumberNode extends NodeWords {
  readonly kind: "number";
  readonly whole: boolean;
}
export interface BooleanNode extends NodeWords {
  readonly kind: "boolean";
}
export interface Option {
  readonly label: string;
  readonly description: string | undefined;
  readonly value: Draft;
}
/** One of several fixed values (`enum`), which may differ in type. */
export interface ChoiceNode extends NodeWords {
  readonly kind: "choice";
  readonly options: readonly Option[];
}
/** A single fixed value (`const`). */
export interface ConstNode extends NodeWords {
  readonly kind: "const";
  readonly value: Draft;
}
export interface Field {
  readonly key: string;
  readonly required: boolean;
  /** Whether only a conditional rule declares the field. Rust validation decides whether its value is allowed. */
  readonly conditional: boolean;
  readonly node: Lazy<FormNode>;
}
/** The keys that an object accepts besides its declared fields. */
export interface ExtraKeys {
  readonly patterns: readonly { readonly pattern: string; readonly node: Lazy<FormNode> }[];
  /** The node for keys that match no pattern; `null` if keys that match no pattern are forbidden. */
  readonly open: Lazy<FormNode> | null;
  /** Whether the schema has no `additionalProperties` schema, so that keys that match no pattern accept any value. */
  readonly untyped: boolean;
  /** The limits of `propertyNames` as text for the user. */
  readonly names: string | undefined;
}
export interface ObjectNode extends NodeWords {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** Conditional rules, which depend on the values of the fields. */
  readonly rules: readonly Rule[];
  readonly order: readonly string[];
  readonly extra: ExtraKeys | null;
}
export interface ArrayNode extends NodeWords {
  readonly kind: "array";
  /** The nodes of the first items (`prefixItems`). */
  readonly slots: readonly Lazy<FormNode>[];
  /** The node of each item after the slots; `null` if no further item is allowed. */
  readonly item: Lazy<FormNode> | null;
  /** Whether all items must differ (`uniqueItems`). */
  readonly unique: boolean;
}
interface Variant {
  readonly label: string;
  readonly description: string | undefined;
  readonly node: Lazy<FormNode>;
}
export interface UnionNode extends NodeWords {
  readonly kind: "union";
  readonly variants: readonly Variant[];
}
/** Any JSON value. The view shows a JSON editor. */
export interface AnyNode extends NodeWords {
  readonly kind: "any";
}

/** The annotations of a node whose schema has no annotations. */
export const SILENT: NodeWords = {
  title: undefined,
  description: undefined,
  fallback: undefined,
  examples: [],
  nullable: false,
  secret: false,
  deprecated: false,
  constraints: [],
  warnings: [],
};

/** Creates a node that accepts any value, with an additional warning. */
export function anyNode(words: NodeWords, warning?: string): AnyNode {
  const warnings = warning === undefined ? words.warnings : [...words.warnings, warning];
  return { ...words, kind: "any", nullable: false, warnings };
}
/** The schema `false`, which allows no value. */
interface NeverNode extends NodeWords {
  readonly kind: "never";
}

export type FormNode =
  | StringNode
  | NumberNode
  | BooleanNode
  | ChoiceNode
  | ConstNode
  | ObjectNode
  | ArrayNode
  | UnionNode
  | AnyNode
  | NeverNode;
