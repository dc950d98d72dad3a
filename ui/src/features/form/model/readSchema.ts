/** A schema out of its text, with each number exact. */

import { type Draft, ExactNumber } from "./draft";
import { parseJson } from "./json";
import { sameNumber } from "./number";

/** A number that may have lost digits in `JSON.parse`. */
const LONG_NUMBER = /[0-9]{16}|[0-9.][eE]/;

/** Parses the schema; invalid JSON allows any value. All keys are own keys, including `__proto__`. */
export function readSchema(text: string): unknown {
  let plain: unknown;
  try {
    plain = JSON.parse(text);
  } catch {
    return { type: "object", additionalProperties: {} };
  }
  if (!LONG_NUMBER.test(text)) return plain;
  const read = parseJson(text);
  // A form can still use a schema that the strict reader rejects (duplicate keys, deep nesting).
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
      // Defines own properties, so that no key reaches a prototype.
      return Object.fromEntries([...draft.entries].map(([key, held]) => [key, plainOf(held)]));
    default:
      return null;
  }
}
