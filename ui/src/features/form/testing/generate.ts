/**
 * Generates values from a schema without using the form's own schema reader, so that the two can be compared.
 *
 * A generated value may be invalid, because conditions and `not` are ignored. The caller validates the value and
 * tries again. Numbers are `ExactNumber`s, so that all digits can be compared.
 */

import { ExactNumber } from "../model/draft";
import { textFor } from "./patterns";
import { Random } from "./random";

type Schema = Readonly<Record<string, unknown>>;

/** Maximum leaf values of one generated value. A schema of thousands of fields is filled only partly. */
const LEAVES_MAX = 20;
/** Optional fields nested deeper than this are omitted. */
const DEPTH_MAX = 5;
/** Maximum depth of required fields. A schema that requires a deeper value is taken for infinitely recursive. */
const DEPTH_STOP = 40;

const TEXTS = [
  "v-plain",
  "größe 日本語 🦊",
  'quoted "text" \\ and /slash',
  "first line\nsecond line\n",
  "  spaces around ",
  "0",
  "null",
  "true",
  '{"a":1}',
  "tab\there",
  "'--; <b>&amp;</b>",
];
const WHOLE = ["0", "1", "-1", "42", "9007199254740993", "-9007199254740995", "9223372036854775807"];
const BROKEN = ["0", "0.1", "-0.5", "1e-9", "1.5E+3", "12345.678", "100"];
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["2026-11-20T12:34:56.789+02:00", "1999-12-31T23:59:59Z"],
  date: ["2026-11-20", "2024-02-29"],
  time: ["12:34:56Z", "23:59:59.5+01:00"],
  email: ["name+tag@example.com"],
  "idn-email": ["name@example.com"],
  uri: ["https://example.com/a%20b?c=d#e"],
  "uri-reference": ["../a?b"],
  url: ["https://example.com/"],
  iri: ["https://example.com/"],
  uuid: ["3d7e2b1c-2f6a-4f0b-9a4e-1f0f6a9b7c11"],
  hostname: ["host.example.com"],
  ipv4: ["192.0.2.7"],
  ipv6: ["2001:db8::1"],
  duration: ["P1DT2H"],
  regex: ["^a+$"],
  "json-pointer": ["/a/0"],
  byte: ["aGVsbG8="],
  binary: ["aGVsbG8="],
};

/** Thrown if no value satisfies the schemas, or if this strategy does not find one. */
class Impossible extends Error {}

interface Wish {
  /** Whether to generate only the required values. */
  readonly bare: boolean;
  readonly seed: string;
}

/** Generates a value for a tool's arguments; `null` if this attempt found none. */
export function generate(schema: unknown, wish: Wish): Record<string, unknown> | null {
  try {
    const value = new Generator(schema, wish).value([schema], 0);
    return isPlain(value) ? value : {};
  } catch (error) {
    if (error instanceof Impossible || error instanceof RangeError) return null;
    throw error;
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isSchema(value);
}

function own(schema: Schema, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

function numbers(parts: readonly Schema[], key: string): number[] {
  return parts.map((part) => own(part, key)).filter((value) => typeof value === "number");
}

class Generator {
  private readonly random: Random;
  private leaves = 0;

  constructor(
    private readonly root: unknown,
    private readonly wish: Wish,
  ) {
    this.random = new Random(wish.seed);
  }

  /** Generates a value that satisfies all given schemas. */
  value(schemas: readonly unknown[], depth: number): unknown {
    if (depth > DEPTH_STOP) throw new Impossible();
    const parts: Schema[] = [];
    for (const schema of schemas) this.gather(schema, parts, 0);
    const fixed = parts.filter((part) => Object.hasOwn(part, "const"));
    if (fixed[0] !== undefined) return this.leaf(exact(fixed[0]["const"]));
    const lists = parts.map((part) => own(part, "enum")).filter((list): list is unknown[] => Array.isArray(list) && list.length > 0);
    if (lists[0] !== undefined) {
      const common = lists[0].filter((option) =>
        lists.every((list) => list.some((other) => JSON.stringify(other) === JSON.stringify(option))),
      );
      if (common.length === 0) throw new Impossible();
      return this.leaf(exact(this.random.one(common)));
    }
    switch (this.typeOf(parts)) {
      case "object":
        return this.object(parts, depth);
      case "array":
        return this.array(parts, depth);
      case "string":
        return this.leaf(this.text(parts));
      case "integer":
        return this.leaf(this.number(parts, true));
      case "number":
        return this.leaf(this.number(parts, false));
      case "boolean":
        return this.leaf(this.random.chance(0.5));
      case "null":
        return this.leaf(null);
      default:
        return this.leaf(this.anything());
    }
  }

  private leaf<T>(value: T): T {
    this.leaves += 1;
    return value;
  }

  /** Collects the schemas that apply together with a schema: its references, `allOf`, and one branch per union. */
  private gather(schema: unknown, into: Schema[], turn: number): void {
    if (schema === false || turn > 50) throw new Impossible();
    if (!isSchema(schema)) return;
    into.push(schema);
    const reference = own(schema, "$ref");
    if (typeof reference === "string") this.gather(this.resolve(reference), into, turn + 1);
    const all = own(schema, "allOf");
    if (Array.isArray(all)) for (const part of all) this.gather(part, into, turn + 1);
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = own(schema, keyword);
      if (Array.isArray(branches) && branches.length > 0) this.gather(this.random.one(branches), into, turn + 1);
    }
    for (const keyword of ["then", "else"]) {
      if (isSchema(own(schema, keyword)) && this.random.chance(0.5)) this.gather(schema[keyword], into, turn + 1);
    }
  }

  private resolve(reference: string): unknown {
    if (!reference.startsWith("#")) return true;
    if (reference !== "#" && !reference.startsWith("#/")) return this.anchored(this.root, reference.slice(1)) ?? true;
    let here: unknown = this.root;
    for (const part of reference.slice(2).split("/").filter((_, __, all) => all[0] !== "" || all.length > 1)) {
      const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      here = Array.isArray(here) ? (here as unknown[])[Number(key)] : isSchema(here) ? own(here, key) : undefined;
    }
    return here ?? true;
  }

  private anchored(schema: unknown, name: string): unknown {
    if (Array.isArray(schema)) {
      for (const item of schema as unknown[]) {
        const found = this.anchored(item, name);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (!isSchema(schema)) return undefined;
    if (own(schema, "$anchor") === name) return schema;
    return this.anchored(Object.values(schema), name);
  }

  private typeOf(parts: readonly Schema[]): string | null {
    let types: string[] | null = null;
    for (const part of parts) {
      const said = own(part, "type");
      if (said === undefined) continue;
      const mine = (Array.isArray(said) ? said : [said]).map(String);
      types = (types ?? mine).filter((type) => mine.includes(type) || (type === "integer" && mine.includes("number")));
    }
    if (types !== null) {
      const known = types.filter((type) => /^(object|array|string|integer|number|boolean|null)$/.test(type));
      return known.length > 0 ? this.random.one(known) : null;
    }
    const says = (...keys: string[]) => parts.some((part) => keys.some((key) => Object.hasOwn(part, key)));
    if (says("properties", "required", "patternProperties", "additionalProperties", "propertyNames")) return "object";
    if (says("items", "prefixItems", "minItems", "maxItems", "uniqueItems")) return "array";
    if (says("minLength", "maxLength", "pattern", "format", "contentEncoding")) return "string";
    if (says("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")) return "number";
    return null;
  }

  private object(parts: readonly Schema[], depth: number): Record<string, unknown> {
    const declared = new Map<string, unknown[]>();
    const required = new Set<string>();
    for (const part of parts) {
      const properties = own(part, "properties");
      if (isSchema(properties)) {
        for (const key of Object.keys(properties)) declared.set(key, [...(declared.get(key) ?? []), properties[key]]);
      }
      const names = own(part, "required");
      if (Array.isArray(names)) for (const name of names) required.add(String(name));
    }
    const entries = new Map<string, unknown>();
    for (const key of required) {
      const schemas = declared.get(key) ?? this.extra(parts, key);
      entries.set(key, this.value(schemas, depth + 1));
    }
    const optional = this.random.shuffled([...declared.keys()].filter((key) => !required.has(key)));
    const least = Math.max(0, ...numbers(parts, "minProperties"));
    for (const key of optional) {
      const wanted = !this.wish.bare && depth < DEPTH_MAX && this.leaves < LEAVES_MAX;
      if (!wanted && entries.size >= least) break;
      // Nested objects get fewer of their fields, so that one object does not use up `LEAVES_MAX`.
      if (entries.size >= least && !this.random.chance(depth === 0 ? 0.9 : 0.6)) continue;
      try {
        entries.set(key, this.value(declared.get(key) ?? [], depth + 1));
      } catch (error) {
        if (!(error instanceof Impossible)) throw error;
      }
    }
    this.moreKeys(parts, entries, declared, least, depth);
    return Object.fromEntries(this.random.shuffled([...entries]));
  }

  /** The schemas that apply to a key that no property declares. */
  private extra(parts: readonly Schema[], key: string): unknown[] {
    return parts.flatMap((part) => {
      const patterns = own(part, "patternProperties");
      const fitting = isSchema(patterns) ? Object.keys(patterns).filter((pattern) => new RegExp(pattern, "u").test(key)) : [];
      if (isSchema(patterns) && fitting.length > 0) return fitting.map((pattern) => patterns[pattern]);
      const additional = own(part, "additionalProperties");
      return additional === undefined ? [] : [additional];
    });
  }

  private moreKeys(
    parts: readonly Schema[],
    entries: Map<string, unknown>,
    declared: ReadonlyMap<string, unknown>,
    least: number,
    depth: number,
  ): void {
    const closed = parts.some((part) => own(part, "additionalProperties") === false);
    const typed = parts.some((part) => isSchema(own(part, "additionalProperties")));
    const patterns = parts.flatMap((part) => Object.keys(own(part, "patternProperties") ?? {}));
    const names = parts.map((part) => own(part, "propertyNames")).filter(isSchema);
    // Undeclared keys are added only if patterns or a schema describe them, or if the object has no fields.
    const wanted = typed || patterns.length > 0 ? 2 : declared.size === 0 && !closed ? this.random.between(1, 2) : 0;
    const full = !this.wish.bare && depth < DEPTH_MAX && this.leaves < LEAVES_MAX;
    const goal = Math.max(least, full ? entries.size + wanted : 0);
    for (let turn = 0; entries.size < goal && turn < goal * 3; turn += 1) {
      const name =
        names.length > 0
          ? this.nameFor(names)
          : patterns.length > 0 && (closed || this.random.chance(0.5))
            ? textFor(this.random.one(patterns), this.random)
            : this.random.one(["key", "an other key", "K-1", "größe", "a/b~c"]);
      if (name === null || entries.has(name) || declared.has(name)) continue;
      const schemas = this.extra(parts, name);
      if (schemas.includes(false)) continue;
      entries.set(name, this.value(schemas, depth + 1));
    }
    if (entries.size < least) throw new Impossible();
  }

  /** A name for a new key. It has no line breaks, because they can't be typed into the name field. */
  private nameFor(schemas: readonly Schema[]): string {
    return String(this.value([{ type: "string" }, ...schemas], DEPTH_MAX)).replace(/\s+/g, " ");
  }

  private array(parts: readonly Schema[], depth: number): unknown[] {
    const tuple = parts.map((part) => own(part, "prefixItems") ?? own(part, "items")).find(Array.isArray) as unknown[] | undefined;
    const rest = parts.map((part) =>
      Array.isArray(own(part, "prefixItems")) ? own(part, "items") : Array.isArray(own(part, "items")) ? own(part, "additionalItems") : own(part, "items"),
    );
    const least = Math.max(0, ...numbers(parts, "minItems"));
    const most = Math.min(Infinity, ...numbers(parts, "maxItems"));
    const unique = parts.some((part) => own(part, "uniqueItems") === true);
    const full = !this.wish.bare && depth < DEPTH_MAX && this.leaves < LEAVES_MAX;
    const closed = rest.includes(false);
    const free = closed ? (tuple?.length ?? 0) : Math.max(tuple?.length ?? 0, this.random.between(0, 3));
    const wanted = Math.min(most, Math.max(least, full ? free : 0));
    const items: unknown[] = [];
    const seen = new Set<string>();
    for (let turn = 0; items.length < wanted && turn < wanted * 5; turn += 1) {
      const slot = tuple?.[items.length];
      if (slot === undefined && closed) break;
      const schemas = slot === undefined ? rest.filter((schema) => schema !== undefined) : [slot];
      const item = this.value(schemas, depth + 1);
      const written = textOf(item);
      if (unique && seen.has(written)) continue;
      seen.add(written);
      items.push(item);
    }
    if (items.length < least) throw new Impossible();
    return items;
  }

  private text(parts: readonly Schema[]): string {
    const least = Math.max(0, ...numbers(parts, "minLength"));
    const most = Math.min(Infinity, ...numbers(parts, "maxLength"));
    const pattern = parts.map((part) => own(part, "pattern")).find((held) => typeof held === "string");
    if (pattern !== undefined) {
      const found = textFor(pattern, this.random);
      if (found === null) throw new Impossible();
      return found.length < least ? found + "a".repeat(least - found.length) : found;
    }
    const format = parts.map((part) => own(part, "format")).find((held) => typeof held === "string");
    const known = FORMATS[format ?? ""];
    if (known !== undefined) return this.random.one(known);
    if (parts.some((part) => own(part, "contentEncoding") === "base64")) return "aGVsbG8=";
    const text = this.random.one(TEXTS);
    const long = Array.from(text).length < least ? text + "a".repeat(least - Array.from(text).length) : text;
    return Array.from(long).slice(0, Math.min(most, 2_000)).join("");
  }

  private number(parts: readonly Schema[], whole: boolean): ExactNumber {
    const step = numbers(parts, "multipleOf")[0];
    const low = Math.max(-Infinity, ...numbers(parts, "minimum"), ...numbers(parts, "exclusiveMinimum"));
    const high = Math.min(Infinity, ...numbers(parts, "maximum"), ...numbers(parts, "exclusiveMaximum"));
    const beyond = (value: number) =>
      value < low ||
      value > high ||
      numbers(parts, "exclusiveMinimum").includes(value) ||
      numbers(parts, "exclusiveMaximum").includes(value) ||
      (step !== undefined && !Number.isInteger(value / step));
    const pool = (whole ? WHOLE : BROKEN).filter((text) => !beyond(Number(text)));
    if (pool.length > 0 && this.random.chance(0.7)) return new ExactNumber(this.random.one(pool));
    const from = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 100 : -100;
    const to = Number.isFinite(high) ? high : from + 200;
    for (let turn = 0; turn < 30; turn += 1) {
      const guess = from + (to - from) * (turn === 0 ? 0 : turn === 1 ? 1 : this.random.part());
      const stepped = step === undefined ? guess : Math.ceil(guess / step) * step;
      const value = whole || turn % 2 === 0 ? Math.round(stepped) : Number(stepped.toFixed(3));
      if (!beyond(value)) return new ExactNumber(String(value).replace("e+", "e"));
    }
    if (pool.length > 0) return new ExactNumber(this.random.one(pool));
    throw new Impossible();
  }

  /** A value for an empty schema. */
  private anything(): unknown {
    return this.random.one<unknown>([
      "any text",
      new ExactNumber("17"),
      true,
      null,
      [new ExactNumber("1"), "x", null],
      { a: { b: [false] } },
    ]);
  }
}

/** Converts the numbers of a schema value to `ExactNumber`s. */
function exact(value: unknown): unknown {
  if (typeof value === "number") return new ExactNumber(Object.is(value, -0) ? "-0" : String(value));
  if (Array.isArray(value)) return value.map(exact);
  if (isSchema(value)) return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, exact(held)]));
  return value;
}

/** Serializes a value as JSON text; numbers keep all digits. */
export function textOf(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (isSchema(value)) {
    return `{${Object.entries(value).map(([key, held]) => `${JSON.stringify(key)}:${textOf(held)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Rewrites JSON text: each string gets the prefix "s", and each number becomes a string with the prefix "n". */
function marked(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`,
  );
}

/** Parses JSON text with numbers as `ExactNumber`s, independently of the form's own parser. */
export function valueOf(json: string): unknown {
  return JSON.parse(marked(json), (_, held: unknown) => {
    if (typeof held === "string") return held.startsWith("n") ? new ExactNumber(held.slice(1)) : held.slice(1);
    if (!isSchema(held)) return held;
    return Object.fromEntries(Object.entries(held).map(([key, inner]) => [key.slice(1), inner]));
  });
}

/** Normalizes JSON text for comparison: keys are sorted, numbers keep their digits. */
export function canonical(json: string): string {
  return JSON.stringify(JSON.parse(marked(json)), (_, held: unknown) =>
    isSchema(held) ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1))) : held,
  );
}
