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

/** What a form says of a place of a schema by itself: limits, kinds, and what could not be used. */
export const words = {
  numberBounds,

  types,

  noValueAllowed: "The schema allows no value here.",
};
