import type { Draft } from "../form/model/draft";
import type { TypeName } from "../form/model/flatten";

/** A limit of a number. */
export type NumberBound = "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" | "multipleOf";
/** What is counted of a text, a list or an object. */
export type Counted = "characters" | "items" | "keys";

const numberBounds: Record<NumberBound, (value: number) => string> = {
  minimum: (value) => `at least ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
};

const types: Record<TypeName, string> = {
  string: "text",
  number: "number",
  integer: "whole number",
  boolean: "yes or no",
  object: "object",
  array: "list",
  null: "null",
};

const shownAsJson = (what: string) => `Shown as JSON: it holds ${what} that its field can't show.`;
const heldElse: Record<Draft["kind"], string> = {
  absent: shownAsJson("nothing"),
  null: shownAsJson("null"),
  boolean: shownAsJson("yes or no"),
  number: shownAsJson("a number"),
  string: shownAsJson("a text"),
  array: shownAsJson("a list"),
  object: shownAsJson("an object"),
  raw: shownAsJson("unfinished JSON"),
};

/** What a form says of a place of a schema by itself: limits, kinds, and what could not be used. */
export const words = {
  theArguments: "the arguments",
  numberBounds,
  exactly: (count: number, of: Counted) => `${count} ${of}`,
  between: (low: number, high: number, of: Counted) => `${low} to ${high} ${of}`,
  atLeast: (count: number, of: Counted) => `at least ${count} ${of}`,
  atMost: (count: number, of: Counted) => `at most ${count} ${of}`,
  noItemTwice: "no item twice",
  matches: (pattern: string) => `matches ${pattern}`,
  containsItem: "has to contain a certain item",
  hasException: "has an exception (see Schema)",
  exactlyOneOf: (keys: string) => `exactly one of: ${keys}`,
  oneOf: (keys: string) => `one of: ${keys}`,

  types,
  anyJson: "any JSON",
  nothing: "nothing",
  withKeys: (keys: string) => `with ${keys}`,
  someTypes: (names: readonly string[]) => names.join(" or "),
  emptyText: "“” (empty)",
  emptyName: "“”",
  variant: (at: number) => `variant ${at}`,
  json: "JSON",

  notSchema: "This part of the schema is not a schema; any value is taken.",
  tooEntangled: "This part of the schema is too entangled; any value is taken.",
  leadsBack: "This reference leads back to itself; any value is taken.",
  unreadable: "This part of the schema could not be read; any value is taken.",
  leadsOutside: (reference: string) => `The reference ${reference} leads outside this schema and is not followed.`,
  leadsNowhere: (reference: string) => `The reference ${reference} leads nowhere.`,
  notObject: (key: string) => `“${key}” is not an object and is left out.`,
  enumEmpty: "“enum” lists nothing and is left out.",
  requiredNoList: "“required” is not a list and is left out.",
  typeUnknown: (name: string) => `The type ${name} does not exist.`,
  nestedTooDeep: "Unions are nested too deeply here; write such a value as JSON.",
  moreVariants: (count: number) => `${count} more variants are not shown; write such a value as JSON.`,
  noValueAllowed: "The schema allows no value here.",
  noItemAllowed: "The schema allows no item here.",
  keyUndeclared: "The schema does not declare this key.",

  lineEnds: "Shown as JSON: a text field would change its line ends.",
  heldElse,
};
