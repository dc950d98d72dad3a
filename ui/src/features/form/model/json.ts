/**
 * Converts JSON text to a draft and back without loss: numbers keep their digits, keys keep their order.
 *
 * `JSON.parse` would round 9007199254740993 and silently drop the first of two equal keys. This parser
 * keeps all digits and reports duplicate keys as an error.
 */

import { ABSENT, ADDED, flag, list, NULL, number, object, text, type Draft } from "./draft";
import { numberProblem } from "./number";
import { childPointer } from "./pointer";

/** Maximum nesting depth of arguments. The JSON parser in Rust has the same limit. */
const DEPTH_MAX = 127;

/** The placeholder for a missing value in the text of a JSON editor. */
const GAP = "…";

/** A JSON syntax error. `offset` counts UTF-16 code units from 0; `line` and `column` count from 1. */
interface SyntaxProblem {
  readonly message: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** An error that prevents a draft from being sent, with the JSON Pointer of its value. */
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
  /** `unfinished`: whether to accept nested values that are not valid JSON yet and store their text unchanged. */
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

  /** Skips the next character if it equals `character`. Returns whether it did. */
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

/** Parses one JSON value. `unfinished` accepts nested values that are missing or not valid JSON yet. */
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
 * Parses JSON text into a draft. Nested numbers and words that are not valid JSON, and missing values, become
 * unfinished values at their position. Any other syntax error turns the whole text into one `raw` draft that
 * carries the error message.
 */
export function draftFromJson(source: string): Draft {
  if (source.trim() === "") return ABSENT;
  const read = parseJson(source, true);
  if ("ok" in read) return read.ok;
  const { line, column, message } = read.problem;
  return { kind: "raw", text: source, problem: `Line ${line}, column ${column}: ${message}` };
}

/** Serializes a draft and collects the errors of its values. */
class Writer {
  readonly problems: DraftProblem[] = [];
  constructor(
    private readonly indent: number,
    /** The text that replaces a missing value. */
    private readonly gap: string,
    /** Whether `gap` also replaces unfinished text, which keeps the result valid JSON. */
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
 * Serializes a draft as JSON text; numbers are written with the digits that the user typed. If values are
 * missing or unfinished, returns all errors, and `rest`: the text with null in place of those values.
 */
export function toJsonText(draft: Draft): { ok: string } | { errors: DraftProblem[]; rest: string } {
  if (draft.kind === "absent") return { ok: "{}" };
  const writer = new Writer(0, "null", true);
  const written = writer.value(draft, "", "");
  return writer.problems.length === 0 ? { ok: written } : { errors: writer.problems, rest: written };
}

/** Serializes a draft for a JSON editor: like `toJsonText`, but unfinished text is written unchanged. */
export function toEditableText(draft: Draft, indent = 2): string {
  if (draft.kind === "absent") return "";
  return new Writer(indent, GAP, false).value(draft, "", "");
}
