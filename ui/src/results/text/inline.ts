/**
 * The inside of a Markdown paragraph: code, emphasis, links. One pass from left to right; whatever
 * doesn't come together stays the text that it is, so nothing that can be read is ever lost.
 */

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "strong" | "emphasis" | "struck"; readonly inside: readonly Inline[] }
  | { readonly kind: "link" | "image"; readonly inside: readonly Inline[]; readonly address: string; readonly title: string };

/** Emphasis inside of emphasis goes so deep. */
const DEPTH_MAX = 16;

/** What was opened and may still be closed. */
interface Opened {
  readonly mark: string;
  readonly inside: Inline[];
}

const KIND_OF: Readonly<Record<string, "strong" | "emphasis" | "struck">> = {
  "**": "strong",
  __: "strong",
  "*": "emphasis",
  _: "emphasis",
  "~~": "struck",
};

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;
const SPACE = /\s/;

/** The next place of something, remembered, so that looking again and again costs nothing. */
function places(text: string, what: string): (from: number) => number {
  let next = -2;
  return (from) => {
    if (next === -1 || next >= from) return next;
    next = text.indexOf(what, from);
    return next;
  };
}

/** Where runs of backticks of each length stand. */
function backticks(text: string): (length: number, from: number) => number {
  const runs = new Map<number, { at: number[]; passed: number }>();
  for (const run of text.matchAll(/`+/g)) {
    const held = runs.get(run[0].length);
    if (held) held.at.push(run.index);
    else runs.set(run[0].length, { at: [run.index], passed: 0 });
  }
  return (length, from) => {
    const held = runs.get(length);
    if (!held) return -1;
    while ((held.at[held.passed] ?? text.length) < from) held.passed += 1;
    return held.at[held.passed] ?? -1;
  };
}

class Line {
  private readonly root: Inline[] = [];
  private readonly stack: Opened[] = [];
  private readonly openMarks = new Map<string, number>();
  private at = 0;
  private plain = "";
  private readonly nextTick: (length: number, from: number) => number;
  private readonly nextClose: (from: number) => number;
  private readonly nextLine: (from: number) => number;
  private readonly nextAngle: (from: number) => number;

  constructor(private readonly text: string) {
    this.nextTick = backticks(text);
    this.nextClose = places(text, ")");
    this.nextLine = places(text, "\n");
    this.nextAngle = places(text, ">");
  }

  read(): Inline[] {
    while (this.at < this.text.length) this.step(this.text[this.at] ?? "");
    this.flush();
    while (this.stack.length > 0) this.giveUp();
    return this.root;
  }

  private get here(): Inline[] {
    return this.stack.at(-1)?.inside ?? this.root;
  }

  private flush(): void {
    if (this.plain === "") return;
    this.here.push({ kind: "text", text: this.plain });
    this.plain = "";
  }

  /** The innermost thing that is open was nothing: its mark is text, and what stood inside stands outside. */
  private giveUp(): void {
    const top = this.stack.pop();
    if (!top) return;
    this.openMarks.set(top.mark, (this.openMarks.get(top.mark) ?? 1) - 1);
    this.here.push({ kind: "text", text: top.mark }, ...top.inside);
  }

  private open(mark: string): void {
    this.flush();
    this.stack.push({ mark, inside: [] });
    this.openMarks.set(mark, (this.openMarks.get(mark) ?? 0) + 1);
    this.at += mark.length;
  }

  /** Closes the innermost `mark`; whatever was opened inside of it and is still open is text. */
  private close(mark: string): readonly Inline[] | null {
    if ((this.openMarks.get(mark) ?? 0) === 0) return null;
    this.flush();
    while (this.stack.at(-1)?.mark !== mark) this.giveUp();
    const inside = this.stack.pop()?.inside ?? [];
    this.openMarks.set(mark, (this.openMarks.get(mark) ?? 1) - 1);
    return inside;
  }

  private literal(text: string): void {
    this.plain += text;
    this.at += text.length;
  }

  private step(char: string): void {
    const { text, at } = this;
    if (char === "\\") this.escape();
    else if (char === "`") this.code();
    else if (char === "\n") this.lineEnd();
    else if (char === "*" || char === "_" || char === "~") this.emphasis(char);
    else if (char === "!" && text[at + 1] === "[" && this.stack.length < DEPTH_MAX) this.open("![");
    else if (char === "[" && this.stack.length < DEPTH_MAX) this.open("[");
    else if (char === "]") this.bracket();
    else if (char === "<") this.angle();
    else this.literal(char);
  }

  private escape(): void {
    const next = this.text[this.at + 1] ?? "";
    if (next === "\n") {
      this.at += 1;
      this.hardBreak();
    } else if (PUNCTUATION.test(next)) {
      this.plain += next;
      this.at += 2;
    } else this.literal("\\");
  }

  private hardBreak(): void {
    this.flush();
    this.here.push({ kind: "break" });
    this.at += 1;
  }

  private lineEnd(): void {
    if (this.plain.endsWith("  ")) {
      this.plain = this.plain.trimEnd();
      this.hardBreak();
    } else this.literal("\n");
  }

  private code(): void {
    const { text, at } = this;
    let length = 1;
    while (text[at + length] === "`") length += 1;
    const end = this.nextTick(length, at + length);
    if (end < 0) {
      this.literal("`".repeat(length));
      return;
    }
    const inner = text.slice(at + length, end).replaceAll("\n", " ");
    const padded = inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
    this.flush();
    this.here.push({ kind: "code", text: padded ? inner.slice(1, -1) : inner });
    this.at = end + length;
  }

  private emphasis(char: string): void {
    const { text, at } = this;
    let length = 1;
    while (text[at + length] === char) length += 1;
    // A long row of stars is a drawing.
    if (length > 3 || (char === "~" && length !== 2)) {
      this.literal(char.repeat(length));
      return;
    }
    const before = text[at - 1] ?? " ";
    const after = text[at + length] ?? " ";
    const inWord = char === "_" && WORD.test(before) && WORD.test(after);
    const closes = !SPACE.test(before) && !inWord;
    const opens = !SPACE.test(after) && !inWord;
    let left = length;
    while (left > 0 && closes) {
      // What was opened last closes first.
      const innermost = this.stack.findLast(({ mark }) => mark === char || mark === char + char)?.mark;
      if (innermost === undefined || innermost.length > left) break;
      const inside = this.close(innermost);
      if (inside === null) break;
      this.here.push({ kind: KIND_OF[innermost] ?? "emphasis", inside });
      left -= innermost.length;
      this.at += innermost.length;
    }
    while (left > 0 && opens && this.stack.length < DEPTH_MAX) {
      const mark = left >= 2 ? char + char : char;
      if (!(mark in KIND_OF)) break;
      this.open(mark);
      left -= mark.length;
    }
    if (left > 0) this.literal(char.repeat(left));
  }

  private bracket(): void {
    const innermost = this.stack.findLast(({ mark }) => mark === "[" || mark === "![")?.mark;
    const target = innermost === undefined ? null : this.target(this.at + 1);
    if (innermost === undefined) {
      this.literal("]");
      return;
    }
    const inside = this.close(innermost) ?? [];
    if (target === null) {
      this.here.push({ kind: "text", text: innermost }, ...inside);
      this.literal("]");
      return;
    }
    const { address, title, end } = target;
    this.here.push({ kind: innermost === "[" ? "link" : "image", inside, address, title });
    this.at = end;
  }

  /** The `(address "title")` after a closing bracket. */
  private target(from: number): { address: string; title: string; end: number } | null {
    if (this.text[from] !== "(") return null;
    const close = this.nextClose(from);
    const line = this.nextLine(from);
    if (close < 0 || (line >= 0 && line < close) || close - from > 4_096) return null;
    const inner = this.text.slice(from + 1, close).trim();
    const parts = /^(\S*)(?:\s+["'](.*)["'])?$/.exec(inner);
    if (parts === null) return null;
    const address = parts[1] ?? "";
    // An address with a bracket of its own, as encyclopedias have them.
    if (address.includes("(") && this.text[close + 1] === ")") {
      return { address: `${address})`, title: "", end: close + 2 };
    }
    return { address, title: parts[2] ?? "", end: close + 1 };
  }

  /** `<https://…>` is an address; any other angle is text. */
  private angle(): void {
    const { text, at } = this;
    const end = this.nextAngle(at);
    const inner = end < 0 || end - at > 2_048 ? "" : text.slice(at + 1, end);
    if (/^[a-z][a-z0-9+.-]{1,31}:[^\s<]*$/i.test(inner)) {
      this.flush();
      this.here.push({ kind: "link", inside: [], address: inner, title: "" });
      this.at = end + 1;
    } else this.literal("<");
  }
}

export function readInline(text: string): readonly Inline[] {
  return new Line(text).read();
}
