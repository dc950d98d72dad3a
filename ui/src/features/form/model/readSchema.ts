/** Parses the JSON text of a schema without rounding its numbers. */

import { type Draft, ExactNumber } from "./draft";
import { parseJson } from "./json";
import { sameNumber } from "./number";

/** Matches numbers that `JSON.parse` might round. */
const LONG_NUMBER = /[0-9]{16}|[0-9.][eE]/;

/** Parses a schema. Invalid JSON yields a schema that allows any value. Even `__proto__` becomes an own property. */
export function readSchema(text: string): unknown {
  let plain: unknown;
  try {
    plain = JSON.parse(text);
  } catch {
    return { type: "object", additionalProperties: {} };
  }
  if (!LONG_NUMBER.test(text)) return plain;
  const read = parseJson(text);
  // If only `JSON.parse` accepts the schema, for example because of duplicate keys or deep nesting, its result is used.
  return "ok" in read ? plainOf(read.ok) : plain;
}

function plainOf(draft: Draft): unknown {
  switch (draft.kind) {
    case "number": {
      const value = Number(draft.text);
      return Number.isFinite(value) && sameNumber(String(value).replace("e+", "e"), draft.text)
        ? value
        : new ExactNumber(draft.text);
    }
    case "string":
    case "boolean":
      return draft.value;
    case "array":
      return draft.items.map(plainOf);
    case "object":
      // `fromEntries` defines own properties, so the key `__proto__` does not set the prototype.
      return Object.fromEntries([...draft.entries].map(([key, held]) => [key, plainOf(held)]));
    default:
      return null;
  }
}
