/**
 * Resolves `$ref` references inside one schema document. Nothing is fetched: a reference to another document
 * or to a missing subschema yields a warning, and the referring subschema accepts any value.
 */

import { ExactNumber } from "./draft";

/**
 * A schema that is a JSON object, unlike `true` and `false`. {@link isObject} also uses this type for other JSON
 * objects.
 */
export type Schema = Readonly<Record<string, unknown>>;

/** Maximum subschemas of a document that are searched for anchors. */
const PLACES_MAX = 200_000;

export function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Reads an own property, so that inherited ones such as `constructor` are never read. */
export function own(schema: Schema, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** One schema document and its anchors. */
export class Document {
  private anchors: Map<string, unknown> | null = null;

  constructor(readonly root: unknown) {}

  /** The schema that a reference points to, or a warning if the reference can't be resolved. */
  resolve(reference: string): { schema: unknown } | { warning: string } {
    const id = isObject(this.root) ? own(this.root, "$id") : undefined;
    const local =
      typeof id === "string" && id !== "" && reference.startsWith(`${id.replace(/#$/, "")}#`)
        ? reference.slice(reference.indexOf("#"))
        : reference;
    const shown = reference.slice(0, 120);
    if (!local.startsWith("#")) {
      return { warning: `The reference ${shown} leads outside this schema and is not followed.` };
    }
    const found = local === "#" ? this.root : local[1] === "/" ? this.byPointer(local) : this.byAnchor(local);
    return found === undefined ? { warning: `The reference ${shown} leads nowhere.` } : { schema: found };
  }

  private byPointer(reference: string): unknown {
    let here: unknown = this.root;
    for (const part of reference.slice(2).split("/")) {
      const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(here)) here = /^[0-9]+$/.test(key) ? (here as unknown[])[Number(key)] : undefined;
      else if (isObject(here)) here = own(here, key);
      else return undefined;
    }
    return here;
  }

  private byAnchor(reference: string): unknown {
    this.anchors ??= this.collect();
    return this.anchors.get(decoded(reference.slice(1)));
  }

  private collect(): Map<string, unknown> {
    const anchors = new Map<string, unknown>();
    const open: unknown[] = [this.root];
    for (let seen = 0; open.length > 0 && seen < PLACES_MAX; seen += 1) {
      const here = open.pop();
      if (Array.isArray(here)) {
        for (const item of here as unknown[]) open.push(item);
      } else if (isObject(here)) {
        for (const keyword of ["$anchor", "$dynamicAnchor", "$id", "id"]) {
          const name = own(here, keyword);
          if (typeof name !== "string") continue;
          const anchor = keyword.endsWith("nchor") ? name : name.startsWith("#") ? name.slice(1) : "";
          if (anchor !== "" && !anchors.has(anchor)) anchors.set(anchor, here);
        }
        for (const key of Object.keys(here)) open.push(here[key]);
      }
    }
    return anchors;
  }
}
