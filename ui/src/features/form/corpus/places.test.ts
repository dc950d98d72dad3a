/** Counts the subschemas of all tools that the form can only show as JSON, by cause. */

import { expect, inject, it } from "vitest";

import { record } from "../../../../scripts/formRecords.mjs";
import type { FormNode } from "../model/node";
import { normalize } from "../model/normalize";
import { TOOLS } from "../testing/corpus";

/** Maximum nodes visited in one schema. */
const PLACES_MAX = 50_000;

/** All descendants of a node, each once, also if the schema is recursive. */
function nodesOf(root: FormNode): readonly FormNode[] {
  const seen = new Set<FormNode>();
  const open = [root];
  for (let node = open.pop(); node !== undefined && seen.size < PLACES_MAX; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.kind === "object") {
      open.push(...node.fields.map((field) => field.node()));
      open.push(...(node.extra?.patterns.map((one) => one.node()) ?? []));
      const extra = node.extra?.open?.();
      if (extra !== undefined && node.extra?.untyped !== true) open.push(extra);
    } else if (node.kind === "array") {
      open.push(...node.slots.map((slot) => slot()));
      const item = node.item?.();
      if (item !== undefined) open.push(item);
    } else if (node.kind === "union") {
      open.push(...node.variants.map((variant) => variant.node()));
    }
  }
  return [...seen];
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/leads outside/, "a reference leads outside of the schema"],
  [/leads nowhere/, "a reference leads nowhere"],
  [/back to itself/, "a reference leads back to itself"],
  [/variants are not shown|nested too deeply/, "a union has too many variants"],
  [/does not exist|is left out/, "a keyword has a value that it can't have"],
  [/not a schema|could not be read|too entangled/, "a part is no schema, or too entangled"],
];

/** Why a subschema that is not empty is shown as JSON; `null` if it is shown as fields. */
function fallbackOf(node: FormNode): string | null {
  const warning = node.warnings.join(" ");
  for (const [words, cause] of CAUSES) if (words.test(warning)) return cause;
  return node.kind === "any" && warning !== "" ? "other" : null;
}

it("nearly every place of real tools that has a shape has fields", () => {
  const found = TOOLS.map(({ set, server, tool, schema }) => {
    const nodes = nodesOf(normalize(schema));
    expect(nodes.length, `${server}/${tool}`).toBeLessThan(PLACES_MAX);
    const fallbacks = [...new Set(nodes.map(fallbackOf).filter((cause) => cause !== null))];
    const shapeless = nodes.filter((node) => node.kind === "any" && fallbackOf(node) === null).length;
    return { set, server, tool, kind: "places", fallbacks, shapeless };
  });
  record(inject("records"), "places", found);
  const real = found.filter((one) => one.set === "real");
  const falling = real.filter((one) => one.fallbacks.length > 0);
  expect(real).toHaveLength(1_530);
  expect(falling.length / real.length, falling.map((one) => `${one.server}/${one.tool}`).join(" ")).toBeLessThan(0.02);
});
