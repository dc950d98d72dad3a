/** Generates strings that match simple regular expressions, of the kinds that are common in the schemas of tools. */

import type { Random } from "./random";

const SETS: Readonly<Record<string, string>> = {
  d: "0123456789",
  w: "abcXYZ019_",
  s: " ",
  S: "abcXYZ019-",
};
const ANY = "abcXYZ019";
/** Maximum repetitions generated for unbounded quantifiers such as `*`. */
const REPEATED_MAX = 3;

/** Generates a string for a pattern; `null` if the pattern has unsupported syntax. */
export function textFor(pattern: string, random: Random): string | null {
  try {
    return new Pattern(pattern, random).whole();
  } catch {
    return null;
  }
}

class Pattern {
  private place = 0;
  constructor(
    private readonly source: string,
    private readonly random: Random,
  ) {}

  whole(): string {
    const text = this.choice();
    if (this.place < this.source.length) throw new Error("A part is left over.");
    return text;
  }

  /** Alternatives separated by `|`. One of them is selected at random. */
  private choice(): string {
    const branches = [this.sequence()];
    while (this.source[this.place] === "|") {
      this.place += 1;
      branches.push(this.sequence());
    }
    return this.random.one(branches);
  }

  private sequence(): string {
    let text = "";
    while (this.place < this.source.length && !"|)".includes(this.source[this.place] ?? "")) {
      const start = this.place;
      const first = this.atom();
      const end = this.place;
      const times = this.times();
      const after = this.place;
      for (let count = 0; count < times; count += 1) {
        // Parses the atom again, so that each repetition can generate a different string.
        this.place = start;
        text += count === 0 ? first : this.atom();
        this.place = end;
      }
      this.place = after;
    }
    return text;
  }

  private atom(): string {
    const character = this.source[this.place] ?? "";
    this.place += 1;
    if (character === "^" || character === "$") return "";
    if (character === ".") return this.random.one(Array.from(ANY));
    if (character === "\\") return this.escaped();
    if (character === "[") return this.random.one(this.set());
    if (character !== "(") return character;
    if (this.source.startsWith("?:", this.place)) this.place += 2;
    else if (this.source[this.place] === "?") throw new Error("A look-around is no plain part.");
    const text = this.choice();
    if (this.source[this.place] !== ")") throw new Error("A parenthesis is not closed.");
    this.place += 1;
    return text;
  }

  private escaped(): string {
    const character = this.source[this.place] ?? "";
    this.place += 1;
    const set = SETS[character];
    if (set !== undefined) return this.random.one(Array.from(set));
    if (/[A-Za-z0-9]/.test(character)) throw new Error("An escape that is no plain part.");
    return character;
  }

  private set(): readonly string[] {
    if (this.source[this.place] === "^") throw new Error("What is not in a set is no plain part.");
    const found: string[] = [];
    while (this.source[this.place] !== "]") {
      const from = this.source[this.place] ?? "";
      if (from === "") throw new Error("A set is not closed.");
      this.place += 1;
      if (from === "\\") {
        const next = this.source[this.place] ?? "";
        this.place += 1;
        found.push(...Array.from(SETS[next] ?? next));
        continue;
      }
      const to = this.source[this.place + 1];
      if (this.source[this.place] === "-" && to !== undefined && to !== "]") {
        this.place += 2;
        for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code += 1) found.push(String.fromCharCode(code));
      } else {
        found.push(from);
      }
    }
    this.place += 1;
    return found;
  }

  private times(): number {
    const found = /^(?:([?*+])|\{([0-9]+)(,([0-9]*))?\})\??/.exec(this.source.slice(this.place));
    if (found === null) return 1;
    this.place += found[0].length;
    if (found[1] !== undefined) {
      return this.random.between(found[1] === "+" ? 1 : 0, found[1] === "?" ? 1 : REPEATED_MAX);
    }
    const least = Number(found[2]);
    const most = found[3] === undefined ? least : found[4] === "" ? least + REPEATED_MAX : Number(found[4]);
    return this.random.between(least, Math.min(most, least + REPEATED_MAX));
  }
}
