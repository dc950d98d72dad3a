/**
 * The form's model: one node for each place of a schema. Children are functions, so that nothing below a
 * place is read before the user opens it.
 */

import type { Rule } from "./conditions";
import type { Draft } from "./draft";

/** A value made when it is first asked for, and kept. */
export type Lazy<T> = () => T;

/** The words and flags of every node. */
export interface NodeWords {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Written only for a required field, or when the user requests defaults. */
  readonly fallback: Draft | undefined;
  readonly examples: readonly Draft[];
  /** Null is allowed beside the node's own values. */
  readonly nullable: boolean;
  /** Masked: a password, or something that is only ever written. */
  readonly secret: boolean;
  readonly deprecated: boolean;
  /** The limits in words. */
  readonly constraints: readonly string[];
  /** The parts of the schema that could not be used. */
  readonly warnings: readonly string[];
}

/** The kind of control for a text. */
export type TextStyle = "line" | "lines" | "base64";

export interface StringNode extends NodeWords {
  readonly kind: "string";
  readonly style: TextStyle;
  /** An example of the format, e.g. for a date. */
  readonly hint: string | undefined;
  readonly format: string | undefined;
  /** Whether it has to match a pattern. */
  readonly patterned: boolean;
  /** The description of the list that this is an item of. */
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
/** One of some values, each with its own type. */
export interface ChoiceNode extends NodeWords {
  readonly kind: "choice";
  readonly options: readonly Option[];
}
/** Exactly one value. */
export interface ConstNode extends NodeWords {
  readonly kind: "const";
  readonly value: Draft;
}
export interface Field {
  readonly key: string;
  readonly required: boolean;
  /** Declared only under a condition; the checker decides whether it counts. */
  readonly conditional: boolean;
  readonly node: Lazy<FormNode>;
}
/** The keys that an object takes beside its fields. */
export interface ExtraKeys {
  readonly patterns: readonly { readonly pattern: string; readonly node: Lazy<FormNode> }[];
  /** For a key that no pattern is meant for; `null` when there may be none. */
  readonly open: Lazy<FormNode> | null;
  /** The schema names no value for these keys: anything goes. */
  readonly untyped: boolean;
  /** The allowed names, in words. */
  readonly names: string | undefined;
}
export interface ObjectNode extends NodeWords {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** Rules that depend on the values of the fields. */
  readonly rules: readonly Rule[];
  readonly order: readonly string[];
  readonly extra: ExtraKeys | null;
}
export interface ArrayNode extends NodeWords {
  readonly kind: "array";
  /** The first items, each with a separate node. */
  readonly slots: readonly Lazy<FormNode>[];
  /** Every further item; `null` when there may be none. */
  readonly item: Lazy<FormNode> | null;
  /** No item may appear twice. */
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
/** Any JSON: drawn as a JSON editor. */
export interface AnyNode extends NodeWords {
  readonly kind: "any";
}

/** The words of a schema without any. */
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

/** A place for any value, with its warning. */
export function anyNode(words: NodeWords, warning?: string): AnyNode {
  const warnings = warning === undefined ? words.warnings : [...words.warnings, warning];
  return { ...words, kind: "any", nullable: false, warnings };
}
/** No value at all is allowed here. */
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
