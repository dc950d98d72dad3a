/** A schema out of its text, with each number exact. */

import { type Draft, ExactNumber } from "./draft";
import { parseJson } from "./json";
import { sameNumber } from "./number";

/** A number that may have lost digits in `JSON.parse`. */
const LONG_NUMBER = /[0-9]{16}|[0-9.][eE]/;

/** The schema; one that is no JSON allows anything. Its keys are own keys, `__proto__` too. */
export function readSchema(text: string): unknown {
  let plain: unknown;
  try {
    plain = JSON.parse(text);
  } catch {
    return { type: "object", additionalProperties: {} };
  }
  if (!LONG_NUMBER.test(text)) return plain;
  const read = parseJson(text);
  // What the strict reader refuses (a key twice, very deep) is still good enough for a form.
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
