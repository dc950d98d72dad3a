/**
 * Converts a schema to the nodes of a form, one subschema at a time.
 *
 * The conversion never throws, evaluates no `pattern` of the schema and fetches nothing. A subschema that
 * can't be shown as fields becomes an `any` node, which the view shows as a JSON editor.
 */

import { meets, namesIn, type Rule, type When } from "./conditions";
import { draftOf, NULL, sameValue } from "./draft";
import { flatten, type Flat, merged, type TypeName } from "./flatten";
import {
  anyNode,
  type ArrayNode,
  type ChoiceNode,
  type ExtraKeys,
  type Field,
  type FormNode,
  type Lazy,
  type NodeWords,
  type ObjectNode,
  type Option,
  SILENT,
} from "./node";
import { Document, isObject } from "./refs";
import { branchesOf, unionLabels } from "./unions";
import { formatHint, jsonLabel, lookalikes, looks, textStyle, valueLabel, wordsOf } from "./labels";

/** Formats that imply `type: "string"` in a schema without `type`. */
const STRING_FORMATS =
  /^(date-time|date|time|duration|e?mail|idn-email|hostname|ipv4|ipv6|uri|uri-reference|url|iri|uuid|regex|json-pointer|password|byte|binary)$/;

/** Maximum conditional rules of one object, and maximum nesting of rules. */
const RULES_MAX = 200;
const RULES_DEPTH_MAX = 4;

/** Converts a whole schema. The root is an object node, or the node that the schema declares. */
export function normalize(schema: unknown): FormNode {
  const node = new Normalizer(new Document(schema)).node(schema);
  if (node.kind !== "any") return node;
  // Tool arguments are always an object, even if the schema has no type.
  const open = anyNode(SILENT);
  const extra: ExtraKeys = { patterns: [], open: () => open, untyped: true, names: undefined };
  return { ...node, kind: "object", fields: [], rules: [], order: [], extra };
}

function lazy<T>(make: () => T): Lazy<T> {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The type that the other keywords imply, for a schema without `type`. */
function inferred(flat: Flat): TypeName | null {
  const has = (...bounds: Parameters<typeof flat.bounds.has>[0][]) => bounds.some((bound) => flat.bounds.has(bound));
  if (flat.properties.size > 0 || flat.patterns.size > 0 || flat.required.size > 0) return "object";
  if (flat.additional !== undefined || flat.names !== undefined || flat.conditional.length > 0) return "object";
  if (has("minProperties", "maxProperties")) return "object";
  if (flat.items !== undefined || flat.prefix !== null || flat.unique || has("minItems", "maxItems")) return "array";
  if (has("minLength", "maxLength") || flat.patterned) return "string";
  if (flat.contentEncoding !== undefined || flat.contentMediaType !== undefined) return "string";
  if (flat.format !== undefined && STRING_FORMATS.test(flat.format)) return "string";
  if (has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")) return "number";
  return null;
}

/** Relabels options whose labels look equal in a menu, so that the labels show types and values. */
function tellApart(options: Option[]): void {
  const same = lookalikes(options.map(({ label }) => label));
  const used = new Set<string>();
  for (const [index, option] of options.entries()) {
    let { label } = option;
    if (same.has(label)) {
      const value = jsonLabel(option.value);
      label = label === valueLabel(option.value) ? value : `${label} (${value})`;
    }
    const first = label;
    for (let turn = 2; used.has(looks(label)); turn += 1) label = `${first} (${turn})`;
    used.add(looks(label));
    if (label !== option.label) options[index] = { ...option, label };
  }
}

class Normalizer {
  /** The node of each schema object. A recursive schema gets the same node again instead of infinitely many. */
  private readonly known = new WeakMap<object, FormNode>();

  constructor(private readonly document: Document) {}

  node(schema: unknown): FormNode {
    const held = isObject(schema) ? this.known.get(schema) : undefined;
    if (held !== undefined) return held;
    let made: FormNode;
    try {
      made = this.fromFlat(flatten(schema, this.document));
    } catch {
      made = anyNode(SILENT, "This part of the schema could not be read; any value is taken.");
    }
    if (isObject(schema)) this.known.set(schema, made);
    return made;
  }

  private lazily(schema: unknown): Lazy<FormNode> {
    return lazy(() => this.node(schema));
  }

  fromFlat(flat: Flat): FormNode {
    if (flat.never) return { ...wordsOf(flat), kind: "never" };
    if (flat.choices !== null) return this.choice(flat, flat.choices.map((value) => ({ value, flat: null })));
    const [union, ...others] = flat.unions;
    if (union !== undefined) return this.union({ ...flat, unions: others }, union);

    const types = flat.types ?? [inferred(flat)].filter((type) => type !== null);
    const nullable = flat.nullable || (types.length > 1 && types.includes("null"));
    const kinds = types.length > 1 ? types.filter((type) => type !== "null") : types;
    const [only] = kinds;
    if (only === undefined || kinds.length >= 5) return anyNode(wordsOf(flat));
    if (kinds.length === 1) return this.ofType({ ...flat, nullable }, only);
    const plain: Flat = { ...flat, title: undefined, description: undefined, fallback: undefined, nullable: false };
    const branches = kinds.map((type): Flat => ({ ...plain, types: [type], warnings: [] }));
    return this.variants({ ...flat, nullable }, branches);
  }

  private ofType(flat: Flat, type: TypeName): FormNode {
    const words = wordsOf(flat);
    switch (type) {
      case "string":
        return { ...words, kind: "string", style: textStyle(flat), hint: formatHint(flat), format: flat.format, patterned: flat.patterned };
      case "number":
      case "integer":
        return { ...words, kind: "number", whole: type === "integer" };
      case "boolean":
        return { ...words, kind: "boolean" };
      case "null":
        return { ...words, kind: "const", nullable: false, value: NULL };
      case "object":
        return this.object(flat, words);
      case "array":
        return this.array(flat, words);
    }
  }

  private choice(flat: Flat, found: readonly { value: unknown; flat: Flat | null }[]): FormNode {
    const words = wordsOf(flat);
    const options: Option[] = [];
    for (const { value, flat: branch } of found) {
      const draft = draftOf(value);
      // Equal values become one option. Above 500 options this quadratic comparison would be too slow.
      if (options.length < 500 && options.some((option) => sameValue(option.value, draft))) continue;
      const label = branch?.title ?? valueLabel(draft);
      options.push({ label, description: branch?.description, value: draft });
    }
    const [first] = options;
    if (first === undefined) return anyNode(words);
    tellApart(options);
    if (options.length === 1 && !words.nullable) return { ...words, kind: "const", value: first.value };
    const nullable = words.nullable && !options.some((option) => option.value.kind === "null");
    return { ...words, kind: "choice", options, nullable } satisfies ChoiceNode;
  }

  private union(flat: Flat, union: Flat["unions"][number]): FormNode {
    const found = branchesOf(union.branches, flat, this.document);
    if (found.hint !== undefined) {
      const hint = union.exactlyOne ? `exactly one of: ${found.hint}` : `one of: ${found.hint}`;
      return this.fromFlat({ ...flat, texts: [...flat.texts, hint] });
    }
    const nullable = flat.nullable || found.nullable;
    const warnings = [...flat.warnings, ...found.warnings];
    const [only, ...more] = found.branches;
    if (only === undefined) {
      return nullable ? this.ofType({ ...flat, warnings }, "null") : anyNode(wordsOf({ ...flat, warnings }));
    }
    if (more.length === 0) return this.fromFlat({ ...merged({ ...flat, unions: [], warnings }, only), nullable });
    const choices = found.branches.flatMap((branch) => {
      const single = branch.choices?.length === 1;
      return (branch.choices ?? []).map((value) => ({ value, flat: single ? branch : null }));
    });
    if (found.branches.every((branch) => branch.choices !== null)) {
      return this.choice({ ...flat, nullable, warnings }, choices);
    }
    const plain: Flat = {
      ...flat,
      title: undefined,
      description: undefined,
      fallback: undefined,
      nullable: false,
      unions: [],
    };
    const branches = found.branches.map((branch) => merged(branch, { ...plain, warnings: [] }));
    return this.variants({ ...flat, nullable, warnings }, branches);
  }

  private variants(flat: Flat, branches: readonly Flat[]): FormNode {
    const labels = unionLabels(branches, flat.discriminator, this.document);
    return {
      ...wordsOf(flat),
      kind: "union",
      constraints: [],
      variants: branches.map((branch, index) => ({
        label: labels[index] ?? `variant ${index + 1}`,
        description: branch.description,
        node: lazy(() => this.fromFlat({ ...branch, title: undefined, description: undefined })),
      })),
    };
  }

  private object(flat: Flat, words: NodeWords): ObjectNode {
    const fields = new Map<string, Field>();
    for (const [key, schema] of flat.properties) {
      fields.set(key, { key, required: flat.required.has(key), conditional: false, node: this.lazily(schema) });
    }
    const rules: Rule[] = [];
    this.conditional(flat, [], fields, rules);
    for (const key of flat.required) {
      if (fields.has(key)) continue;
      const schema = isObject(flat.additional) ? flat.additional : true;
      fields.set(key, { key, required: true, conditional: false, node: this.lazily(schema) });
    }
    return {
      ...words,
      kind: "object",
      fields: [...fields.values()],
      rules,
      order: [...fields.keys()],
      extra: this.extraKeys(flat),
    };
  }

  /** Adds the conditional rules of an object, including nested rules, and the fields that only these rules declare. */
  private conditional(flat: Flat, around: readonly When[], fields: Map<string, Field>, rules: Rule[]): void {
    for (const { when, schema } of flat.conditional) {
      if (rules.length >= RULES_MAX || around.length >= RULES_DEPTH_MAX) return;
      const inner = flatten(schema, this.document);
      const all = [...around, when];
      rules.push({
        holds: (draft) => {
          const found = all.map((one) => meets(one, draft, this.document));
          return found.includes(false) ? false : found.includes(null) ? null : true;
        },
        by: [...new Set(all.flatMap(namesIn))],
        required: inner.required,
        declared: new Set([...inner.properties].filter(([, held]) => held !== false).map(([key]) => key)),
        forbidden: new Set([...inner.properties].filter(([, held]) => held === false).map(([key]) => key)),
      });
      const named = [...inner.properties, ...[...inner.required].map((key) => [key, true] as const)];
      for (const [key, held] of named) {
        if (fields.has(key) || flat.required.has(key)) continue;
        fields.set(key, { key, required: false, conditional: true, node: this.lazily(held) });
      }
      this.conditional(inner, all, fields, rules);
    }
  }

  private extraKeys(flat: Flat): ExtraKeys | null {
    const closed = flat.additional === false;
    if (closed && flat.patterns.size === 0) return null;
    const names = flat.names === undefined ? undefined : wordsOf(flatten(flat.names, this.document)).constraints;
    return {
      patterns: [...flat.patterns].map(([pattern, schema]) => ({ pattern, node: this.lazily(schema) })),
      open: closed ? null : this.lazily(flat.additional ?? true),
      untyped: !isObject(flat.additional),
      names: names === undefined || names.length === 0 ? undefined : names.join(" · "),
    };
  }

  private array(flat: Flat, words: NodeWords): ArrayNode {
    const item = flat.items === null ? true : (flat.items ?? true);
    const itemNode = lazy(() => {
      const node = this.node(item);
      return node.kind === "string" ? { ...node, listDescription: flat.description } : node;
    });
    return {
      ...words,
      kind: "array",
      slots: (flat.prefix ?? []).map((schema) => this.lazily(schema)),
      item: item === false ? null : itemNode,
      unique: flat.unique,
    };
  }
}
