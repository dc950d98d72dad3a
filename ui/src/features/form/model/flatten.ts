/**
 * Flattens one subschema: resolves references, merges `allOf`, and drops keywords of the wrong JSON type with
 * a warning. Schemas of properties and items are copied unread, so a recursive schema costs nothing until the
 * user opens its fields.
 */

import type { When } from "./conditions";
import { draftOf, ExactNumber, sameValue } from "./draft";
import { type Document, isObject, own, type Schema } from "./refs";

/** The types that JSON Schema defines. */
const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
export type TypeName = (typeof TYPES)[number];

/** Maximum references and `allOf` branches that are merged into one subschema. */
const PARTS_MAX = 2_000;

/** Lower and upper bounds. A merge keeps the tighter of two bounds. */
const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"] as const;
const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"] as const;
export type Bound = (typeof LOWER)[number] | (typeof UPPER)[number] | "multipleOf";

/** A subschema after references are resolved and `allOf` is merged. */
export interface Flat {
  never: boolean;
  types: TypeName[] | null;
  title: string | undefined;
  description: string | undefined;
  format: string | undefined;
  contentEncoding: string | undefined;
  contentMediaType: string | undefined;
  fallback: { value: unknown } | undefined;
  examples: unknown[];
  nullable: boolean;
  secret: boolean;
  deprecated: boolean;
  unique: boolean;
  /** Whether a string has to match a `pattern`. */
  patterned: boolean;
  choices: unknown[] | null;
  bounds: Map<Bound, number>;
  texts: string[];
  properties: Map<string, unknown>;
  required: Set<string>;
  patterns: Map<string, unknown>;
  /**
   * The schema of undeclared keys, from `additionalProperties` or `unevaluatedProperties`. `undefined` without
   * these keywords; then any key is allowed.
   */
  additional: unknown;
  names: unknown;
  prefix: unknown[] | null;
  items: unknown;
  unions: { branches: unknown[]; exactlyOne: boolean }[];
  /** Schemas that apply only under a condition, such as `then`. */
  conditional: { readonly when: When; readonly schema: unknown }[];
  discriminator: string | undefined;
  warnings: string[];
}

function blank(): Flat {
  return {
    never: false,
    types: null,
    title: undefined,
    description: undefined,
    format: undefined,
    contentEncoding: undefined,
    contentMediaType: undefined,
    fallback: undefined,
    examples: [],
    nullable: false,
    secret: false,
    deprecated: false,
    unique: false,
    patterned: false,
    choices: null,
    bounds: new Map(),
    texts: [],
    properties: new Map(),
    required: new Set(),
    patterns: new Map(),
    additional: undefined,
    names: undefined,
    prefix: null,
    items: undefined,
    unions: [],
    conditional: [],
    discriminator: undefined,
    warnings: [],
  };
}

/** Flattens one subschema. Never throws. */
export function flatten(schema: unknown, document: Document): Flat {
  return new Flattener(document).flatten(schema, new Set());
}

class Flattener {
  private parts = 0;
  constructor(private readonly document: Document) {}

  flatten(schema: unknown, chain: ReadonlySet<unknown>): Flat {
    const flat = blank();
    if (schema === true || schema === undefined) return flat;
    if (schema === false) return { ...flat, never: true };
    if (!isObject(schema)) {
      flat.warnings.push("This part of the schema is not a schema; any value is taken.");
      return flat;
    }
    this.parts += 1;
    if (this.parts > PARTS_MAX || chain.size > 100) {
      flat.warnings.push("This part of the schema is too entangled; any value is taken.");
      return flat;
    }
    if (chain.has(schema)) {
      flat.warnings.push("This reference leads back to itself; any value is taken.");
      return flat;
    }
    let result = keywords(schema, flat);
    const inner = new Set(chain).add(schema);
    for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
      const reference = own(schema, keyword);
      if (typeof reference !== "string") continue;
      const target = this.document.resolve(reference);
      if ("warning" in target) result.warnings.push(target.warning);
      else result = merged(result, this.flatten(target.schema, inner));
    }
    const all = own(schema, "allOf");
    if (Array.isArray(all)) for (const part of all) result = merged(result, this.flatten(part, inner));
    return result;
  }
}

/** Reads the keywords of one schema object; keywords of the wrong JSON type are ignored. */
function keywords(schema: Schema, flat: Flat): Flat {
  const string = (key: string) => {
    const value = own(schema, key);
    return typeof value === "string" ? value : undefined;
  };
  const map = (key: string): [string, unknown][] => {
    const value = own(schema, key);
    if (value !== undefined && !isObject(value)) flat.warnings.push(`“${key}” is not an object and is left out.`);
    return isObject(value) ? Object.keys(value).map((name) => [name, value[name]]) : [];
  };

  flat.types = typesOf(schema, flat.warnings);
  flat.title = string("title");
  flat.description = string("description");
  flat.format = string("format");
  flat.contentEncoding = string("contentEncoding");
  flat.contentMediaType = string("contentMediaType");
  if (Object.hasOwn(schema, "default")) flat.fallback = { value: schema["default"] };
  const examples = own(schema, "examples");
  flat.examples = Array.isArray(examples) ? examples : Object.hasOwn(schema, "example") ? [schema["example"]] : [];
  flat.nullable = own(schema, "nullable") === true;
  flat.secret = own(schema, "writeOnly") === true || flat.format === "password";
  flat.deprecated = own(schema, "deprecated") === true;
  flat.unique = own(schema, "uniqueItems") === true;
  const choices = own(schema, "enum");
  if (Array.isArray(choices) && choices.length > 0) flat.choices = choices;
  else if (choices !== undefined) flat.warnings.push("“enum” lists nothing and is left out.");
  if (Object.hasOwn(schema, "const")) flat.choices = [schema["const"]];

  for (const bound of [...LOWER, ...UPPER, "multipleOf"] as const) {
    const value = own(schema, bound);
    if (typeof value === "number") flat.bounds.set(bound, value);
    else if (value instanceof ExactNumber) flat.texts.push(`${bound} ${value.text}`);
  }
  // In draft 4, exclusive bounds are booleans beside `minimum` and `maximum`.
  for (const [plain, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const value = flat.bounds.get(plain);
    if (own(schema, exclusive) === true && value !== undefined) {
      flat.bounds.delete(plain);
      flat.bounds.set(exclusive, value);
    }
  }
  const pattern = string("pattern");
  if (pattern !== undefined) {
    flat.patterned = true;
    flat.texts.push(`matches ${pattern}`);
  }
  if (own(schema, "contains") !== undefined) flat.texts.push("must contain a certain item (see Schema)");
  if (own(schema, "not") !== undefined) flat.texts.push("has an exception (see Schema)");

  flat.properties = new Map(map("properties"));
  flat.patterns = new Map(map("patternProperties"));
  const required = own(schema, "required");
  if (Array.isArray(required)) {
    for (const name of required) if (typeof name === "string") flat.required.add(name);
  } else if (required !== undefined) {
    flat.warnings.push("“required” is not a list and is left out.");
  }
  flat.additional = own(schema, "additionalProperties") ?? own(schema, "unevaluatedProperties");
  flat.names = own(schema, "propertyNames");

  const items = own(schema, "items");
  const prefix = own(schema, "prefixItems");
  if (Array.isArray(prefix)) {
    flat.prefix = prefix;
    flat.items = items ?? own(schema, "unevaluatedItems");
  } else if (Array.isArray(items)) {
    flat.prefix = items;
    flat.items = own(schema, "additionalItems");
  } else {
    flat.items = items;
  }

  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = own(schema, keyword);
    if (Array.isArray(branches) && branches.length > 0) {
      flat.unions.push({ branches, exactlyOne: keyword === "oneOf" });
    }
  }
  for (const keyword of ["then", "else"]) {
    const held = own(schema, keyword);
    if (!isObject(held)) continue;
    const when: When = Object.hasOwn(schema, "if")
      ? { kind: "if", schema: schema["if"], wanted: keyword === "then" }
      : { kind: "unknown" };
    flat.conditional.push({ when, schema: held });
  }
  for (const keyword of ["dependentSchemas", "dependentRequired", "dependencies"]) {
    for (const [key, held] of map(keyword)) {
      const demanded = Array.isArray(held) ? { required: held } : held;
      if (isObject(demanded)) flat.conditional.push({ when: { kind: "given", key }, schema: demanded });
    }
  }
  const discriminator = own(schema, "discriminator");
  const name = isObject(discriminator) ? own(discriminator, "propertyName") : undefined;
  if (typeof name === "string") flat.discriminator = name;
  return flat;
}

function typesOf(schema: Schema, warnings: string[]): TypeName[] | null {
  const declared = own(schema, "type");
  if (declared === undefined) return null;
  const all = Array.isArray(declared) ? (declared as unknown[]) : [declared];
  const known = TYPES.filter((name) => all.includes(name));
  for (const name of all) {
    if (!TYPES.some((type) => type === name)) {
      warnings.push(`The type ${JSON.stringify(name).slice(0, 40)} does not exist.`);
    }
  }
  return known.length > 0 ? known : null;
}

/** Combines two schemas that both apply. Annotations of `a` and the tighter bounds take precedence. */
export function merged(a: Flat, b: Flat): Flat {
  const bounds = new Map(a.bounds);
  for (const [bound, value] of b.bounds) {
    const held = bounds.get(bound);
    const upper = UPPER.some((name) => name === bound);
    if (held === undefined) bounds.set(bound, value);
    else if (bound !== "multipleOf") bounds.set(bound, upper ? Math.min(held, value) : Math.max(held, value));
  }
  return {
    never: a.never || b.never,
    types: commonTypes(a.types, b.types),
    title: a.title ?? b.title,
    description: a.description ?? b.description,
    format: a.format ?? b.format,
    contentEncoding: a.contentEncoding ?? b.contentEncoding,
    contentMediaType: a.contentMediaType ?? b.contentMediaType,
    fallback: a.fallback ?? b.fallback,
    examples: a.examples.length > 0 ? a.examples : b.examples,
    nullable: a.nullable || b.nullable,
    secret: a.secret || b.secret,
    deprecated: a.deprecated || b.deprecated,
    unique: a.unique || b.unique,
    patterned: a.patterned || b.patterned,
    choices: commonChoices(a.choices, b.choices),
    bounds,
    texts: [...new Set([...a.texts, ...b.texts])],
    properties: bothMaps(a.properties, b.properties),
    required: new Set([...a.required, ...b.required]),
    patterns: bothMaps(a.patterns, b.patterns),
    additional: both(a.additional, b.additional),
    names: both(a.names, b.names),
    prefix: a.prefix ?? b.prefix,
    items: both(a.items, b.items),
    unions: [...a.unions, ...b.unions],
    conditional: [...a.conditional, ...b.conditional],
    discriminator: a.discriminator ?? b.discriminator,
    warnings: [...new Set([...a.warnings, ...b.warnings])],
  };
}

/** A schema that requires both given schemas. */
function both(a: unknown, b: unknown): unknown {
  if (a === undefined || a === b || a === true) return b ?? a;
  if (b === undefined || b === true) return a;
  if (a === false || b === false) return false;
  return { allOf: [a, b] };
}

function bothMaps(a: Map<string, unknown>, b: Map<string, unknown>): Map<string, unknown> {
  if (b.size === 0) return a;
  const result = new Map(a);
  for (const [key, schema] of b) result.set(key, result.has(key) ? both(result.get(key), schema) : schema);
  return result;
}

function commonTypes(a: TypeName[] | null, b: TypeName[] | null): TypeName[] | null {
  if (a === null || b === null) return a ?? b;
  const allows = (types: TypeName[], type: TypeName) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const common = TYPES.filter((type) => (a.includes(type) || b.includes(type)) && allows(a, type) && allows(b, type));
  return common.length > 0 ? common : a;
}

function commonChoices(a: unknown[] | null, b: unknown[] | null): unknown[] | null {
  if (a === null || b === null) return a ?? b;
  const others = b.map((value) => draftOf(value));
  const common = a.filter((value) => others.some((other) => sameValue(draftOf(value), other)));
  return common.length > 0 ? common : a;
}
