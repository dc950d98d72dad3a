/**
 * JSON text to draft and back without loss: numbers keep their source text, keys their order.
 *
 * `JSON.parse` would turn 9007199254740993 into another number and drop the first of two equal
 * keys without a word, so the arguments are read here; two equal keys are an error.
 */

import { ABSENT, ADDED, flag, list, NULL, number, object, text, type Draft } from "./draft";
import { numberProblem } from "./number";
import { childPointer } from "./pointer";

/** Maximum nesting of arguments; the reader in Rust has the same limit. */
const DEPTH_MAX = 127;

/** Placeholder for a missing value in editable text. */
const GAP = "…";

/** A JSON syntax error and its position. Lines and columns count from 1. */
interface SyntaxProblem {
  readonly message: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Something that keeps a draft from being sent, at its place. */
interface DraftProblem {
  readonly pointer: string;
  readonly message: string;
}

class Stop extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

const SPACE = /[ \t\n\r]*/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids exactly these characters.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const TOKEN = /[^\s,:[\]{}"]*/y;

class Reader {
  private place = 0;
  /** `unfinished`: keep a nested value that is not valid JSON yet at its place, unchanged. */
  constructor(
    private readonly source: string,
    private readonly unfinished: boolean,
  ) {}

  whole(): Draft {
    const value = this.value(0);
    this.space();
    if (this.place < this.source.length) this.stop("Nothing may follow the value.");
    return value;
  }

  private stop(message: string, offset = this.place): never {
    throw new Stop(message, offset);
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.source)?.[0] ?? "";
    this.place += found.length;
    return found;
  }

  private space(): void {
    this.skip(SPACE);
  }

  /** Steps over one character if it is the next one. */
  private take(character: string): boolean {
    if (this.source[this.place] !== character) return false;
    this.place += 1;
    return true;
  }

  private value(depth: number): Draft {
    if (depth > DEPTH_MAX) this.stop(`Nested deeper than ${DEPTH_MAX} levels.`);
    this.space();
    if (this.take("{")) return this.object(depth);
    if (this.take("[")) return this.array(depth);
    if (this.source[this.place] === '"') return text(this.string());
    const start = this.place;
    const token = this.skip(TOKEN);
    if (token === "true" || token === "false") return flag(token === "true");
    if (token === "null") return NULL;
    const inside = this.unfinished && depth > 0;
    if (inside && token === GAP) return ADDED;
    if (token === "") {
      if (inside && /[,\]}]/.test(this.source[start] ?? "")) return ADDED;
      this.stop(start < this.source.length ? "A value is needed here." : "The text ends too early.");
    }
    const problem = numberProblem(token);
    if (problem === null) return number(token);
    const isNumber = /^[-+.0-9]/.test(token);
    const message = isNumber ? problem : `“${token.slice(0, 20)}” is not a JSON value.`;
    if (!inside) return this.stop(message, start);
    return isNumber ? number(token) : { kind: "raw", text: token, problem: message };
  }

  private object(depth: number): Draft {
    const entries = new Map<string, Draft>();
    this.space();
    if (this.take("}")) return object();
    for (;;) {
      this.space();
      const start = this.place;
      if (this.source[start] !== '"') this.stop("A key in double quotes is needed here.");
      const key = this.string();
      if (entries.has(key)) this.stop(`The key “${key.slice(0, 40)}” appears twice.`, start);
      this.space();
      if (!this.take(":")) this.stop("A colon is needed after the key.");
      entries.set(key, this.value(depth + 1));
      this.space();
      if (this.take("}")) return object(entries);
      if (!this.take(",")) this.stop("A comma or } is needed here.");
    }
  }

  private array(depth: number): Draft {
    const items: Draft[] = [];
    this.space();
    if (this.take("]")) return list(items);
    for (;;) {
      items.push(this.value(depth + 1));
      this.space();
      if (this.take("]")) return list(items);
      if (!this.take(",")) this.stop("A comma or ] is needed here.");
    }
  }

  private string(): string {
    const start = this.place;
    this.place += 1;
    for (;;) {
      this.skip(PLAIN);
      if (this.take('"')) break;
      if (this.place >= this.source.length) this.stop("The closing quote is missing.", start);
      if (!this.take("\\")) this.stop("A line break or control character has to be written as an escape.");
      this.place += 1;
    }
    try {
      return JSON.parse(this.source.slice(start, this.place)) as string;
    } catch {
      return this.stop("An escape in this text is not valid.", start);
    }
  }
}

/** Reads one JSON value; all of it has to be JSON, unless what is `unfinished` inside may stay so. */
export function parseJson(source: string, unfinished = false): { ok: Draft } | { problem: SyntaxProblem } {
  try {
    return { ok: new Reader(source, unfinished).whole() };
  } catch (error) {
    const offset = error instanceof Stop ? error.offset : 0;
    const before = source.slice(0, offset);
    return {
      problem: {
        message: error instanceof Error ? error.message : "Not JSON.",
        offset,
        line: before.split("\n").length,
        column: offset - before.lastIndexOf("\n"),
      },
    };
  }
}

/**
 * JSON text as a draft. A number or word inside that is not JSON yet, or a value that is missing,
 * stays at its place; where the text has not even that shape, it is kept as a whole with what is
 * wrong.
 */
export function draftFromJson(source: string): Draft {
  if (source.trim() === "") return ABSENT;
  const read = parseJson(source, true);
  if ("ok" in read) return read.ok;
  const { line, column, message } = read.problem;
  return { kind: "raw", text: source, problem: `Line ${line}, column ${column}: ${message}` };
}

/** Writes a draft and collects what is wrong with it. */
class Writer {
  readonly problems: DraftProblem[] = [];
  constructor(
    private readonly indent: number,
    /** Written for a missing value. */
    private readonly gap: string,
    /** Whether that is written in the place of unfinished text too. */
    private readonly whole: boolean,
  ) {}

  value(draft: Draft, pointer: string, margin: string): string {
    switch (draft.kind) {
      case "null":
        return "null";
      case "boolean":
        return String(draft.value);
      case "string":
        return JSON.stringify(draft.value);
      case "number": {
        const problem = numberProblem(draft.text);
        if (problem === null) return draft.text;
        this.problems.push({ pointer, message: problem });
        return this.whole ? this.gap : draft.text;
      }
      case "raw":
        this.problems.push({ pointer, message: draft.problem });
        return this.whole ? this.gap : draft.text;
      case "absent":
        this.problems.push({ pointer, message: "There is no value yet: fill it in or remove it." });
        return this.gap;
      case "array": {
        const inner = margin + " ".repeat(this.indent);
        const items = draft.items.map((item, index) => this.value(item, childPointer(pointer, index), inner));
        return this.wrapped("[", items, "]", margin);
      }
      case "object": {
        const inner = margin + " ".repeat(this.indent);
        const colon = this.indent > 0 ? ": " : ":";
        const fields: string[] = [];
        for (const [key, held] of draft.entries) {
          if (held.kind === "absent" && held.added === undefined) continue;
          fields.push(JSON.stringify(key) + colon + this.value(held, childPointer(pointer, key), inner));
        }
        return this.wrapped("{", fields, "}", margin);
      }
    }
  }

  private wrapped(open: string, parts: readonly string[], close: string, margin: string): string {
    if (parts.length === 0) return open + close;
    if (this.indent === 0) return open + parts.join(",") + close;
    const inner = `\n${margin}${" ".repeat(this.indent)}`;
    return `${open}${inner}${parts.join(`,${inner}`)}\n${margin}${close}`;
  }
}

/**
 * The draft as JSON text, each number as it was typed; or everything that stops it, and the `rest`: the
 * text with null in the place of what is wrong.
 */
export function toJsonText(draft: Draft, indent = 0): { ok: string } | { errors: DraftProblem[]; rest: string } {
  if (draft.kind === "absent") return { ok: "{}" };
  const writer = new Writer(indent, "null", true);
  const written = writer.value(draft, "", "");
  return writer.problems.length === 0 ? { ok: written } : { errors: writer.problems, rest: written };
}

/** The draft as text to edit: like `toJsonText`, with what is not JSON yet left in its place. */
export function toEditableText(draft: Draft, indent = 2): string {
  if (draft.kind === "absent") return "";
  return new Writer(indent, GAP, false).value(draft, "", "");
}
