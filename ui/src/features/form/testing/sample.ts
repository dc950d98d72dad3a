/** Generates values that fill every field of a schema, to test a form at its maximum size. */

import { ABSENT, type Draft } from "../model/draft";
import type { FormNode } from "../model/node";

export function sampleOf(node: FormNode, depth = 0): unknown {
  switch (node.kind) {
    case "string":
      return "text";
    case "number":
      return 7;
    case "boolean":
      return true;
    case "const":
      return plain(node.value);
    case "choice":
      return plain(node.options.at(-1)?.value ?? ABSENT);
    case "array": {
      if (depth > 5) return [];
      const slots = node.slots.map((slot) => sampleOf(slot(), depth + 1));
      if (node.item === null || slots.length > 0) return slots;
      const item = node.item();
      const first = sampleOf(item, depth + 1);
      return item.kind === "choice" ? [first] : [first, sampleOf(item, depth + 1)];
    }
    case "object": {
      const fields = depth > 5 ? node.fields.filter((field) => field.required && depth < 12) : node.fields;
      return Object.fromEntries(
        fields.flatMap((field) => {
          const inner = field.node();
          return inner.kind === "never" ? [] : [[field.key, sampleOf(inner, depth + 1)] as const];
        }),
      );
    }
    case "union":
      return node.variants[0] === undefined ? null : sampleOf(node.variants[0].node(), depth + 1);
    default:
      return { any: [1, "x", null] };
  }
}

function plain(draft: Draft): unknown {
  if (draft.kind === "string" || draft.kind === "boolean") return draft.value;
  return draft.kind === "number" ? Number(draft.text) : null;
}
