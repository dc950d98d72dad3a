/** Texts about a node: its limits, format hints, and labels of variants and options. */

import { draftOf, type Draft, sameValue } from "./draft";
import type { Bound, Flat, TypeName } from "./flatten";
import { toJsonText } from "./json";
import type { NodeWords, TextStyle } from "./node";

export const TYPE_WORDS: Record<TypeName, string> = {
  string: "text",
  number: "number",
  integer: "whole number",
  boolean: "yes or no",
  object: "object",
  array: "list",
  null: "null",
};

const NUMBER_BOUNDS = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
  ["multipleOf", "a multiple of"],
] as const satisfies readonly (readonly [Bound, string])[];

/** The minimum and maximum keywords of a count, and the plural of the counted unit. */
const COUNTS: readonly (readonly [Bound, Bound, string])[] = [
  ["minLength", "maxLength", "characters"],
  ["minItems", "maxItems", "items"],
  ["minProperties", "maxProperties", "keys"],
];

const FORMAT_HINTS: ReadonlyMap<string, string> = new Map([
  ["date-time", "2026-11-20T12:34:56Z"],
  ["date", "2026-11-20"],
  ["time", "12:34:56Z"],
  ["duration", "P1DT2H"],
  ["email", "name@example.com"],
  ["uri", "https://example.com/"],
  ["url", "https://example.com/"],
  ["uuid", "00000000-0000-0000-0000-000000000000"],
  ["ipv4", "127.0.0.1"],
  ["ipv6", "::1"],
  ["hostname", "example.com"],
]);

/** Formats that name a numeric type of a programming language, such as `int64` or `uint`. */
const MACHINE_FORMATS = /^(?:u?int\d*|[ui]size|float\d*|double|decimal)$/i;

const LONG_FORMATS = /^(textarea|multi-?line|markdown|html|json|yaml|xml|sql|code|text)$/i;

/** The limits of a subschema as texts for the user. */
function constraintsOf(flat: Flat): string[] {
  const words: string[] = [];
  for (const [bound, word] of NUMBER_BOUNDS) {
    const value = flat.bounds.get(bound);
    if (value !== undefined) words.push(`${word} ${value}`);
  }
  for (const [lower, upper, of] of COUNTS) {
    const low = flat.bounds.get(lower);
    const high = flat.bounds.get(upper);
    if (low !== undefined && high !== undefined) words.push(low === high ? `${low} ${of}` : `${low} to ${high} ${of}`);
    else if (low !== undefined) words.push(`at least ${low} ${of}`);
    else if (high !== undefined) words.push(`at most ${high} ${of}`);
  }
  if (flat.unique) words.push("no duplicate items");
  if (flat.format !== undefined && flat.format !== "password" && !MACHINE_FORMATS.test(flat.format)) words.push(flat.format);
  if (flat.contentMediaType !== undefined) words.push(flat.contentMediaType);
  return [...words, ...flat.texts].map((word) => word.slice(0, 300));
}

/** The annotations that nodes of all kinds have. */
export function wordsOf(flat: Flat): NodeWords {
  return {
    title: flat.title,
    description: flat.description,
    fallback: flat.fallback === undefined ? undefined : draftOf(flat.fallback.value),
    examples: flat.examples.slice(0, 5).map((value) => draftOf(value)),
    nullable: flat.nullable,
    secret: flat.secret,
    deprecated: flat.deprecated,
    constraints: constraintsOf(flat),
    warnings: flat.warnings,
  };
}

/** The kind of control for a string of this schema. */
export function textStyle(flat: Flat): TextStyle {
  if (/^base64(url)?$/i.test(flat.contentEncoding ?? "") || flat.format === "byte") return "base64";
  const long = LONG_FORMATS.test(flat.format ?? "") || (flat.bounds.get("maxLength") ?? 0) > 300;
  return long || flat.contentMediaType?.startsWith("text/") === true ? "lines" : "line";
}

/** An example of a string in the schema's format. */
export function formatHint(flat: Flat): string | undefined {
  return FORMAT_HINTS.get(flat.format ?? "");
}

/** A short label for a value: strings unchanged, other values as JSON. `max` counts characters. */
export function valueLabel(value: Draft, max = 120): string {
  if (value.kind === "string") return value.value === "" ? "“” (empty)" : cut(value.value, max);
  return jsonLabel(value, max);
}

/** A value as JSON text of at most `max` characters, which makes its type visible. */
export function jsonLabel(value: Draft, max = 120): string {
  const written = toJsonText(value);
  return "ok" in written ? cut(written.ok, max) : "";
}

/** A label as browsers render it: trimmed, and with white space collapsed. Used to find labels that look equal. */
export function looks(label: string): string {
  return label.trim().replace(/\s+/g, " ");
}

/** The labels that look equal to another label in the list. */
export function lookalikes(labels: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(looks(label), (counts.get(looks(label)) ?? 0) + 1);
  return new Set(labels.filter((label) => (counts.get(looks(label)) ?? 0) > 1));
}

/** Short labels for values shown side by side. Different values whose labels would look equal are shown as JSON. */
export function valueLabels(values: readonly Draft[], max = 120): readonly string[] {
  return values.map((value) => {
    const label = valueLabel(value, max);
    const isAmbiguous = values.some((other) => looks(valueLabel(other, max)) === looks(label) && !sameValue(other, value));
    return isAmbiguous ? jsonLabel(value, max) : label;
  });
}

function cut(value: string, max: number): string {
  return value.length > max ? `${value.slice(0, max)}…` : value;
}

/** The label of a variant: its title, or its distinguishing constants, formatted by `labelOf`. */
export function variantLabel(
  flat: Flat,
  constants: readonly (readonly [string, Draft])[],
  labelOf: (value: Draft, max: number) => string = valueLabel,
): string {
  if (flat.title !== undefined && flat.title !== "") return cut(flat.title, 80);
  const distinguishing = constants.filter(([key]) => flat.discriminator === undefined || key === flat.discriminator);
  const [named] = distinguishing.length > 0 ? distinguishing : constants;
  if (named !== undefined) return `${named[0]}: ${labelOf(named[1], 40)}`;
  if (flat.choices !== null) {
    const shown = flat.choices.slice(0, 3).map((value) => labelOf(draftOf(value), 24));
    return flat.choices.length > 3 ? `${shown.join(", ")}, …` : shown.join(", ");
  }
  if (flat.properties.size > 0 || flat.required.size > 0) {
    const keys = flat.required.size > 0 ? [...flat.required] : [...flat.properties.keys()];
    return cut(`with ${keys.slice(0, 3).join(", ")}`, 80);
  }
  if (flat.never) return "nothing";
  if (flat.types === null) return flat.items !== undefined || flat.prefix !== null ? TYPE_WORDS.array : "any JSON";
  return flat.types.map((type) => TYPE_WORDS[type]).join(" or ");
}
