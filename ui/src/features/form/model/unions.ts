/** Prepares the branches of `anyOf` and `oneOf`: removes null branches, expands nested unions, labels the rest. */

import { draftOf, type Draft } from "./draft";
import { flatten, type Flat, merged } from "./flatten";
import { type Document, isObject, own } from "./refs";
import { jsonLabel, lookalikes, looks, variantLabel } from "./labels";

/** Maximum variants of one union. */
const VARIANTS_MAX = 64;
/**
 * Maximum branches read from one union. The limit is higher than for variants because each branch may be only one
 * constant.
 */
const BRANCHES_MAX = 2_000;
/** Maximum depth to which nested unions are expanded. */
const NESTED_MAX = 8;

interface Branches {
  readonly branches: readonly Flat[];
  readonly nullable: boolean;
  /** The text shown instead of a variant menu if the branches only list alternative sets of required keys. */
  readonly hint: string | undefined;
  readonly warnings: readonly string[];
}

/** Keywords that a branch may have if the union is shown as a `hint` instead of a variant menu. */
const HINT_WORDS = new Set(["required", "title", "description", "type", "not"]);

function hintOf(schemas: readonly unknown[], parent: Flat): string | undefined {
  if (parent.properties.size === 0) return undefined;
  const parts: string[] = [];
  for (const schema of schemas) {
    const required = isObject(schema) ? own(schema, "required") : undefined;
    if (!isObject(schema) || !Array.isArray(required)) return undefined;
    if (!Object.keys(schema).every((key) => HINT_WORDS.has(key))) return undefined;
    parts.push(required.map(String).join(" + "));
  }
  return parts.join(" · ");
}

function isNull(flat: Flat): boolean {
  if (flat.choices !== null) return flat.choices.length === 1 && flat.choices[0] === null;
  return flat.types?.length === 1 && flat.types[0] === "null";
}

/** Collects the branches of one union; nested unions are expanded in place. */
export function branchesOf(schemas: readonly unknown[], parent: Flat, document: Document): Branches {
  const hint = hintOf(schemas, parent);
  if (hint !== undefined) return { branches: [], nullable: false, hint, warnings: [] };
  const branches: Flat[] = [];
  const warnings: string[] = [];
  let nullable = false;
  let left = BRANCHES_MAX;

  const open = (flat: Flat, depth: number, seen: ReadonlySet<unknown>) => {
    nullable ||= flat.nullable;
    const place = flat.choices === null ? flat.unions.findIndex((one) => hintOf(one.branches, flat) === undefined) : -1;
    const union = flat.unions[place];
    if (union !== undefined && depth < NESTED_MAX) {
      const around: Flat = { ...flat, unions: flat.unions.filter((_, index) => index !== place) };
      for (const schema of union.branches) each(schema, depth + 1, seen, around);
      return;
    }
    if (union !== undefined) warnings.push("Unions are nested too deeply here; write such a value as JSON.");
    const unions = union === undefined ? flat.unions : [];
    const kinds = flat.types?.filter((type) => type !== "null") ?? [];
    if (isNull(flat)) nullable = true;
    else if (flat.types === null || flat.choices !== null || kinds.length >= 5) {
      branches.push({ ...flat, unions, nullable: false });
    } else {
      nullable ||= flat.types.length > kinds.length;
      for (const kind of kinds) branches.push({ ...flat, unions, types: [kind], nullable: false });
    }
  };
  const each = (schema: unknown, depth: number, seen: ReadonlySet<unknown>, around: Flat | null) => {
    left -= 1;
    if (left < 0 || seen.has(schema)) return;
    const flat = flatten(schema, document);
    if (flat.never) return;
    open(around === null ? flat : merged(flat, around), depth, isObject(schema) ? new Set(seen).add(schema) : seen);
  };
  const siblings = parent.unions.length === 0 ? null : { ...flatten(true, document), unions: parent.unions };
  for (const schema of schemas) each(schema, 0, new Set(), siblings);

  const values = branches.every((branch) => branch.choices !== null);
  if (!values && branches.length > VARIANTS_MAX) {
    warnings.push(`${branches.length - VARIANTS_MAX} more variants are not shown; write such a value as JSON.`);
    branches.length = VARIANTS_MAX;
  }
  return { branches, nullable, hint: undefined, warnings };
}

/** The properties of a branch that allow only one value, with that value. */
function constantsOf(flat: Flat, document: Document): (readonly [string, Draft])[] {
  const found: (readonly [string, Draft])[] = [];
  for (const [key, schema] of [...flat.properties].slice(0, 50)) {
    const { choices } = flatten(schema, document);
    if (choices?.length === 1) found.push([key, draftOf(choices[0])]);
  }
  return found;
}

/** A unique label for each variant. */
export function unionLabels(
  branches: readonly Flat[],
  discriminator: string | undefined,
  document: Document,
): readonly string[] {
  // A key that every branch requires can't distinguish the branches.
  const shared = new Set(
    [...(branches[0]?.required ?? [])].filter((key) => branches.every((branch) => branch.required.has(key))),
  );
  const constants = branches.map((branch) => constantsOf(branch, document));
  const common = (key: string) => {
    const values = constants.map((found) => found.find(([name]) => name === key)?.[1]);
    return new Set(values.map((value) => (value === undefined ? "" : jsonLabel(value)))).size === 1;
  };
  const candidates = branches.map((branch, index) => {
    const own = new Set([...branch.required].filter((key) => !shared.has(key)));
    const flat: Flat = {
      ...branch,
      discriminator: discriminator ?? branch.discriminator,
      required: own.size > 0 || branch.properties.size === 0 ? own : branch.required,
    };
    return { flat, constants: (constants[index] ?? []).filter(([key]) => !common(key)) };
  });
  const plain = candidates.map(({ flat, constants }) => variantLabel(flat, constants));
  const same = lookalikes(plain);
  const labels = candidates.map(({ flat, constants }, index) => {
    const label = plain[index] ?? "";
    return same.has(label) ? variantLabel(flat, constants, jsonLabel) : label;
  });
  const used = new Map<string, number>();
  return labels.map((label) => {
    const times = (used.get(looks(label)) ?? 0) + 1;
    used.set(looks(label), times);
    return times === 1 ? label : `${label} (${times})`;
  });
}
