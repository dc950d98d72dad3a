/**
 * Conditional rules of a schema: `if`, `then` and `else`, and the keywords that begin with `dependent`. They
 * decide which fields a form marks as required or not applicable. Rust validation decides whether values are
 * valid.
 */

import { ABSENT, childOf, type Draft, draftOf, object, sameValue } from "./draft";
import { isWhole, numberProblem } from "./number";
import { type Document, isObject, own, type Schema } from "./refs";

/** The condition of a rule: an `if` schema, or the presence of a key. */
export type When =
  | { readonly kind: "if"; readonly schema: unknown; readonly wanted: boolean }
  | { readonly kind: "given"; readonly key: string }
  /** A `then` or `else` without an `if`. */
  | { readonly kind: "unknown" };

/** The effects of one conditional schema on the fields of an object. */
export interface Rule {
  /** Whether the condition is met by the object's value; `null` if unknown. */
  readonly holds: (draft: Draft) => boolean | null;
  /** The names of the fields that the condition reads. */
  readonly by: readonly string[];
  readonly required: ReadonlySet<string>;
  readonly declared: ReadonlySet<string>;
  readonly forbidden: ReadonlySet<string>;
}

/** The state of a field that results from the values of the other fields. */
interface FieldState {
  readonly required: boolean;
  /** The names of the fields that make this field required by a rule. */
  readonly by: readonly string[];
  /** Whether the rules allow the field to have a value; `null` if unknown. */
  readonly applies: boolean | null;
}

/** Computes a field's state from the rules of its object. */
export function fieldStateOf(
  field: { readonly key: string; readonly required: boolean; readonly conditional: boolean },
  rules: readonly { readonly rule: Rule; readonly holds: boolean | null }[],
): FieldState {
  const { key } = field;
  const demanding = rules.filter(({ rule, holds }) => holds === true && rule.required.has(key));
  const required = field.required || demanding.length > 0;
  const by = field.required ? [] : [...new Set(demanding.flatMap(({ rule }) => rule.by))];
  if (rules.some(({ rule, holds }) => holds === true && rule.forbidden.has(key))) return { required, by, applies: false };
  if (!field.conditional) return { required, by, applies: true };
  const naming = rules.filter(({ rule }) => rule.declared.has(key) || rule.required.has(key));
  if (naming.some(({ holds }) => holds === true)) return { required, by, applies: true };
  return { required, by, applies: naming.length > 0 && naming.every(({ holds }) => holds === false) ? false : null };
}

/** Evaluates each rule for an object. An absent object is evaluated as an empty one. */
export function evaluated(rules: readonly Rule[], draft: Draft): readonly { readonly rule: Rule; readonly holds: boolean | null }[] {
  const held = draft.kind === "absent" ? object() : draft;
  return rules.map((rule) => ({ rule, holds: rule.holds(held) }));
}

/** Whether a condition is met; `null` if unknown. */
export function meets(when: When, draft: Draft, document: Document): boolean | null {
  switch (when.kind) {
    case "unknown":
      return null;
    case "given":
      return isGiven(draft, when.key);
    case "if": {
      const verdict = new ConditionChecker(document).check(when.schema, draft, 0);
      return verdict === null ? null : verdict === when.wanted;
    }
  }
}

/** The names of the fields that a condition reads, at most three of an `if` schema. */
export function namesIn(when: When): readonly string[] {
  if (when.kind === "given") return [when.key];
  if (when.kind !== "if" || !isObject(when.schema)) return [];
  const properties = own(when.schema, "properties");
  const required = own(when.schema, "required");
  const names = [
    ...(isObject(properties) ? Object.keys(properties) : []),
    ...(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []),
  ];
  return [...new Set(names)].slice(0, 3);
}

function isGiven(draft: Draft, key: string): boolean | null {
  const held = childOf(draft, key);
  // The user has added the key but not typed its value yet, so the result is unknown.
  return held.kind !== "absent" || (held.added === true ? null : false);
}

/**
 * Maximum subschemas evaluated for one condition, and their maximum nesting. Beyond either limit, the result is
 * unknown.
 */
const STEPS_MAX = 2_000;
const DEPTH_MAX = 16;

/** Keywords that do not restrict values. */
const ANNOTATIONS = new Set([
  "title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "format",
  "$schema", "$id", "id", "$comment", "$defs", "definitions", "$anchor", "nullable", "discriminator",
]);

type Verdict = boolean | null;

function both(verdicts: readonly Verdict[]): Verdict {
  return verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
}

function opposite(verdict: Verdict): Verdict {
  return verdict === null ? null : !verdict;
}

/**
 * Evaluates the schema of a condition. Regular expressions are not evaluated; the result is `null` if a keyword
 * is not supported.
 */
class ConditionChecker {
  private steps = 0;
  constructor(private readonly document: Document) {}

  check(schema: unknown, draft: Draft, depth: number): Verdict {
    this.steps += 1;
    if (typeof schema === "boolean") return schema;
    if (!isObject(schema) || depth > DEPTH_MAX || this.steps > STEPS_MAX || draft.kind === "raw") return null;
    return both(Object.keys(schema).map((keyword) => this.keyword(schema, keyword, draft, depth + 1)));
  }

  private keyword(schema: Schema, keyword: string, draft: Draft, depth: number): Verdict {
    const value = schema[keyword];
    const all = (): Verdict[] | null =>
      Array.isArray(value) ? value.map((part) => this.check(part, draft, depth)) : null;
    switch (keyword) {
      case "type": {
        const types: unknown[] = Array.isArray(value) ? value : [value];
        const verdicts = types.map((type) => isOfType(draft, type));
        return verdicts.includes(true) ? true : verdicts.includes(null) ? null : false;
      }
      case "const":
        return isSame(draft, value);
      case "enum":
        return Array.isArray(value) ? opposite(both(value.map((one) => opposite(isSame(draft, one))))) : null;
      case "required":
        if (!Array.isArray(value)) return null;
        return draft.kind === "object" ? both(value.map((key) => isGiven(draft, String(key)))) : true;
      case "properties": {
        if (!isObject(value)) return null;
        if (draft.kind !== "object") return true;
        return both(
          Object.keys(value).map((key) => {
            const held = childOf(draft, key);
            return held.kind === "absent" ? (held.added === true ? null : true) : this.check(value[key], held, depth);
          }),
        );
      }
      case "not":
        return opposite(this.check(value, draft, depth));
      case "allOf":
        return all() === null ? null : both(all() ?? []);
      case "anyOf":
        return opposite(both((all() ?? [null]).map(opposite)));
      case "oneOf": {
        const verdicts = all() ?? [null];
        return verdicts.includes(null) ? null : verdicts.filter((verdict) => verdict === true).length === 1;
      }
      case "$ref": {
        const target = typeof value === "string" ? this.document.resolve(value) : { warning: "" };
        return "warning" in target ? null : this.check(target.schema, draft, depth);
      }
      default:
        return ANNOTATIONS.has(keyword) ? true : bounded(keyword, value, draft);
    }
  }
}

const atLeast = (size: number, bound: number) => size >= bound;
const atMost = (size: number, bound: number) => size <= bound;

/** For each bound: the kind of value that it restricts, and the comparison that a valid value passes. */
const BOUNDS: ReadonlyMap<string, readonly [Draft["kind"], (size: number, bound: number) => boolean]> = new Map([
  ["minLength", ["string", atLeast]],
  ["maxLength", ["string", atMost]],
  ["minItems", ["array", atLeast]],
  ["maxItems", ["array", atMost]],
  ["minimum", ["number", atLeast]],
  ["maximum", ["number", atMost]],
  ["exclusiveMinimum", ["number", (size: number, bound: number) => size > bound]],
  ["exclusiveMaximum", ["number", (size: number, bound: number) => size < bound]],
]);

/** The size that a bound restricts: a number's value, a string's characters, or a list's items; `null` if unknown. */
function sizeOf(draft: Draft): number | null {
  if (draft.kind === "string") return Array.from(draft.value).length;
  if (draft.kind === "array") return draft.items.length;
  return draft.kind === "number" && numberProblem(draft.text) === null ? Number(draft.text) : null;
}

/** Whether a value satisfies a bound; `null` if the keyword is not a supported bound. */
function bounded(keyword: string, bound: unknown, draft: Draft): Verdict {
  const known = BOUNDS.get(keyword);
  if (known === undefined || typeof bound !== "number") return null;
  const [kind, holds] = known;
  if (draft.kind !== kind) return true;
  const size = sizeOf(draft);
  return size === null ? null : holds(size, bound);
}

function isOfType(draft: Draft, type: unknown): Verdict {
  if (type === "integer" || type === "number") {
    if (draft.kind !== "number") return false;
    if (numberProblem(draft.text) !== null) return null;
    return type === "number" || isWhole(draft.text);
  }
  return typeof type === "string" ? draft.kind === type : null;
}

function isSame(draft: Draft, value: unknown): Verdict {
  if (draft.kind === "number" && numberProblem(draft.text) !== null) return null;
  const wanted = draftOf(value);
  return wanted === ABSENT ? null : sameValue(draft, wanted);
}
