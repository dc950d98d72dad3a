/** All areas of the words are complete and said in each language. */
import { describe, expect, it } from "vitest";

type Words = Readonly<Record<string, unknown>>;

const load = (files: Record<string, unknown>): ReadonlyMap<string, Words> =>
  new Map(
    Object.entries(files).flatMap(([path, file]) => {
      const { en, de } = file as { en?: Words; de?: Words };
      const words = en ?? de;
      return words ? [[path.split("/").at(-1) ?? path, words] as const] : [];
    }),
  );

const EN = load(import.meta.glob("./en/*.ts", { eager: true }));
const DE = load(import.meta.glob("./de/*.ts", { eager: true }));

/** Each text of an area under the path of its names; of a function, what it is written as. */
function textsOf(value: unknown, path: string): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return [[path, String(value)]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
}

/** The words of a text, or of the texts in a function: without what is put in, and the names of the code. */
function lettersOf(text: string): string {
  const literals = text.includes("=>") ? (text.match(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []).join(" ") : text;
  return literals.replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\{\w+\}/g, " ").replace(/[^\p{L}]+/gu, " ").trim();
}

/** The sentences that elements are put into, by their paths, with the places for these. */
function placesOf(words: Words | undefined): readonly string[] {
  return textsOf(words, "").flatMap(([path, text]) => {
    const places = text.includes("=>") ? null : text.match(/\{\w+\}/g);
    return places === null ? [] : [`${path}: ${places.sort().join(" ")}`];
  });
}

/** What is called the same in German. */
const SAME: ReadonlySet<string> = new Set([
  // Names of programs, languages and files.
  ..."Guild Hall English Deutsch config secrets yml json mcp stderr".split(" "),
  // Formats, protocols and units.
  ..."JSON CSV TSV Markdown Text https Header Pointer Handshake Schema OPTIONAL null ms B Bytes KiB MiB GiB".split(" "),
  // Words that both languages have; the glossary says so of most.
  ..."Server Client Clients Gateway Prompts Manifest Log Dock Start Name Version Problem Port Ports Variable ok in".split(" "),
]);

describe("the words", () => {
  it("are in each area said in German too", () => {
    expect([...DE.keys()].filter((area) => area !== "errors.ts").sort()).toEqual([...EN.keys()].sort());
  });

  it.each([...EN])("of %s are not left in English", (area, words) => {
    const german = new Map(textsOf(DE.get(area), ""));
    const left = textsOf(words, "")
      .filter(([path, text]) => lettersOf(text) !== "" && german.get(path) !== undefined && lettersOf(german.get(path) ?? "") === lettersOf(text))
      .filter(([, text]) => !lettersOf(text).split(" ").every((word) => SAME.has(word)))
      .map(([path, text]) => `${path}: ${lettersOf(text)}`);
    expect(left).toEqual([]);
  });

  it.each([...EN])("of %s have the same places for elements in German, so that none is lost", (area, words) => {
    expect(placesOf(DE.get(area))).toEqual(placesOf(words));
  });

  it("have places for elements", () => {
    expect([...EN.values()].flatMap(placesOf).length).toBeGreaterThan(20);
  });
});
