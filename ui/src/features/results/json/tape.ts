/**
 * JSON as a tape: the source text, and the position of each value in it.
 *
 * A result of 10 MB may contain a million values. As objects they would use too much memory. Typed arrays of
 * numbers use little memory and can be filled in slices. The source text preserves every digit, escape sequence
 * and repeated key that the server sent. The values are in document order: the descendants of value `n` are `n +
 * 1` up to, but not including, `nexts[n]`.
 */

import { number } from "../../../lib/format";
import { childPointer } from "../../form/model/pointer";
import type { Steps } from "./steps";

const SOME_ESCAPE_INVALID = "An escape in a text is not valid.";

type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

const KINDS: readonly JsonKind[] = ["object", "array", "string", "number", "boolean", "null"];
const [OBJECT, ARRAY, STRING, NUMBER, BOOLEAN, NULL] = [0, 1, 2, 3, 4, 5] as const;

/** The maximum nesting depth. The engine has the same limit for responses. */
export const DEPTH_MAX = 127;
/** The maximum number of values on a tape. A larger result is shown as text. */
const VALUES_MAX = 6_000_000;
/** The number of values parsed between two yields. */
const YIELD_EVERY = 8_192;

export interface Tape {
  readonly source: string;
  /** The number of values. Value 0 is the root. */
  readonly size: number;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** For each value, the index of the next value that is not one of its descendants. */
  readonly nexts: Int32Array;
  readonly parents: Int32Array;
  /** For each value, the position of its key's opening quote, or `-1 - index` for a list item. The root has -1. */
  readonly keys: Int32Array;
  /** For each value, the number of its children. */
  readonly counts: Int32Array;
}

interface TapeProblem {
  readonly message: string;
  readonly offset: number;
}

export type TapeRead = { readonly ok: Tape } | { readonly problem: TapeProblem };

class Stop extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

const NUMBER_TEXT = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const HEX = /[0-9a-fA-F]{4}/y;

/** The offset after the string literal that begins at `start`. */
function stringEnd(source: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = source.charCodeAt(at);
    if (code === 34) return at + 1;
    if (code === 92) {
      const escaped = source.charCodeAt(at + 1);
      if (escaped === 117) {
        HEX.lastIndex = at + 2;
        if (!HEX.test(source)) throw new Stop(SOME_ESCAPE_INVALID, at);
        at += 6;
      } else if ('"\\/bfnrt'.includes(String.fromCharCode(escaped)) && at + 1 < source.length) {
        at += 2;
      } else throw new Stop(SOME_ESCAPE_INVALID, at);
    } else if (code >= 32) at += 1;
    else if (at >= source.length) throw new Stop("The closing quote of a text is missing.", start);
    else throw new Stop("A text holds a control character that is not escaped.", at);
  }
}

function spaceEnd(source: string, start: number): number {
  let at = start;
  for (;;) {
    const code = source.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at += 1;
  }
}

/** Collects the values of a tape in arrays that grow as needed. */
class TapeBuilder {
  size = 0;
  kinds = new Uint8Array();
  starts = new Int32Array();
  ends = new Int32Array();
  nexts = new Int32Array();
  parents = new Int32Array();
  keys = new Int32Array();
  counts = new Int32Array();

  constructor(room: number) {
    this.grow(room);
  }

  add(kind: number, start: number, parent: number, key: number): number {
    const node = this.size;
    if (node === VALUES_MAX) throw new Stop(`There are more than ${number(VALUES_MAX)} values.`, start);
    if (node === this.kinds.length) this.grow(node * 2);
    this.kinds[node] = kind;
    this.starts[node] = start;
    this.parents[node] = parent;
    this.keys[node] = key;
    if (parent >= 0) this.counts[parent] = (this.counts[parent] ?? 0) + 1;
    this.size = node + 1;
    return node;
  }

  end(node: number, end: number): void {
    this.ends[node] = end;
    this.nexts[node] = this.size;
  }

  private grow(room: number): void {
    const kinds = new Uint8Array(room);
    kinds.set(this.kinds);
    this.kinds = kinds;
    for (const name of ["starts", "ends", "nexts", "parents", "keys", "counts"] as const) {
      const grown = new Int32Array(room);
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}

function scalar(builder: TapeBuilder, source: string, at: number, parent: number, key: number): number {
  const code = source.charCodeAt(at);
  let kind: number = NUMBER;
  let end = -1;
  if (code === 34) {
    kind = STRING;
    end = stringEnd(source, at);
  } else if (code === 116 && source.startsWith("true", at)) {
    kind = BOOLEAN;
    end = at + 4;
  } else if (code === 102 && source.startsWith("false", at)) {
    kind = BOOLEAN;
    end = at + 5;
  } else if (code === 110 && source.startsWith("null", at)) {
    kind = NULL;
    end = at + 4;
  } else {
    NUMBER_TEXT.lastIndex = at;
    if (NUMBER_TEXT.test(source)) end = NUMBER_TEXT.lastIndex;
  }
  if (end < 0) throw new Stop(at < source.length ? "A value is needed here." : "The text ends too early.", at);
  builder.end(builder.add(kind, at, parent, key), end);
  return end;
}

/** Parses the JSON text into the builder. Uses a stack instead of recursion, so that it can yield. */
function* lay(source: string, builder: TapeBuilder): Steps<undefined> {
  const open: number[] = [];
  let at = spaceEnd(source, 0);
  let key = -1;
  let untilYield = YIELD_EVERY;
  for (;;) {
    // `at` is the start of a value.
    const parent = open.at(-1) ?? -1;
    const code = source.charCodeAt(at);
    let opened = false;
    if (code === 123 || code === 91) {
      if (open.length >= DEPTH_MAX) throw new Stop(`Nested deeper than ${DEPTH_MAX} levels.`, at);
      const node = builder.add(code === 123 ? OBJECT : ARRAY, at, parent, key);
      at = spaceEnd(source, at + 1);
      if (source.charCodeAt(at) === code + 2) {
        at += 1;
        builder.end(node, at);
      } else {
        open.push(node);
        opened = true;
      }
    } else at = scalar(builder, source, at, parent, key);
    untilYield -= 1;
    if (untilYield === 0) {
      untilYield = YIELD_EVERY;
      yield;
    }
    // The first value of a non-empty list or object follows directly. After any other value, this loop reads the
    // closing brackets and the comma before the next value.
    while (!opened) {
      at = spaceEnd(source, at);
      const node = open.at(-1);
      if (node === undefined) {
        if (at < source.length) throw new Stop("Nothing may follow the value.", at);
        return;
      }
      const list = builder.kinds[node] === ARRAY;
      const follows = source.charCodeAt(at);
      if (follows === 44) {
        at = spaceEnd(source, at + 1);
        break;
      }
      if (follows !== (list ? 93 : 125)) throw new Stop(`A comma or ${list ? "]" : "}"} is needed here.`, at);
      at += 1;
      builder.end(node, at);
      open.pop();
    }
    const holder = open.at(-1) ?? 0;
    if (builder.kinds[holder] === ARRAY) key = -1 - (builder.counts[holder] ?? 0);
    else {
      if (source.charCodeAt(at) !== 34) throw new Stop("A key in double quotes is needed here.", at);
      key = at;
      at = spaceEnd(source, stringEnd(source, at));
      if (source.charCodeAt(at) !== 58) throw new Stop("A colon is needed after the key.", at);
      at = spaceEnd(source, at + 1);
    }
  }
}

/** Parses JSON text. Returns the tape, or the syntax error and its offset. */
export function* readTape(source: string): Steps<TapeRead> {
  const builder = new TapeBuilder(Math.max(16, Math.min(VALUES_MAX, source.length >> 3)));
  try {
    yield* lay(source, builder);
  } catch (error) {
    if (error instanceof Stop) return { problem: { message: error.message, offset: error.offset } };
    throw error;
  }
  return { ok: Object.assign(builder, { source }) };
}

export function kindOf(tape: Tape, node: number): JsonKind {
  return KINDS[tape.kinds[node] ?? NULL] ?? "null";
}

export function isContainer(tape: Tape, node: number): boolean {
  return (tape.kinds[node] ?? NULL) <= ARRAY;
}

export function countOf(tape: Tape, node: number): number {
  return tape.counts[node] ?? 0;
}

/** The index of the next value that is not a descendant of `node`. */
export function nextOf(tape: Tape, node: number): number {
  return tape.nexts[node] ?? tape.size;
}

export function parentOf(tape: Tape, node: number): number {
  return tape.parents[node] ?? -1;
}

/** The children of a value, in document order. */
export function* childrenOf(tape: Tape, node: number): Generator<number> {
  const end = nextOf(tape, node);
  for (let child = node + 1; child < end; child = nextOf(tape, child)) yield child;
}

export function sourceOf(tape: Tape, node: number): string {
  return tape.source.slice(tape.starts[node], tape.ends[node]);
}

/** The length of a value in the source text, in characters. */
export function lengthOf(tape: Tape, node: number): number {
  return (tape.ends[node] ?? 0) - (tape.starts[node] ?? 0);
}

function decoded(source: string, start: number, end: number): string {
  const inner = source.slice(start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(source.slice(start, end)) as string) : inner;
}

/** The decoded content of a string value. */
export function stringAt(tape: Tape, node: number): string {
  return decoded(tape.source, tape.starts[node] ?? 0, tape.ends[node] ?? 0);
}

/** The key of a value in an object, or its index in a list; `null` for the root. */
export function keyAt(tape: Tape, node: number): string | number | null {
  const key = tape.keys[node] ?? -1;
  if (node === 0) return null;
  if (key < 0) return -1 - key;
  return decoded(tape.source, key, stringEnd(tape.source, key));
}

/** The value of a key in an object; -1 if the key is missing. If the key is repeated, the last value. */
export function childAt(tape: Tape, node: number, key: string): number {
  if (kindOf(tape, node) !== "object") return -1;
  let found = -1;
  for (const child of childrenOf(tape, node)) if (keyAt(tape, child) === key) found = child;
  return found;
}

/** The string value of a key in an object; `undefined` if the key is missing or its value is not a string. */
export function textAt(tape: Tape, node: number, key: string): string | undefined {
  const child = childAt(tape, node, key);
  return child >= 0 && kindOf(tape, child) === "string" ? stringAt(tape, child) : undefined;
}

/** The JSON Pointer of a value, relative to `root`. */
export function pointerOf(tape: Tape, node: number, root = 0): string {
  if (node <= root) return "";
  return childPointer(pointerOf(tape, parentOf(tape, node), root), keyAt(tape, node) ?? "");
}
