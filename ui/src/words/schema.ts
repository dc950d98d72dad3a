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
  numberBounds,

  types,

  noValueAllowed: "The schema allows no value here.",

  heldElse,
};
