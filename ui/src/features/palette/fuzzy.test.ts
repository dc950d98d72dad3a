import { describe, expect, it } from "vitest";

import { matchAll, matchForgiving, matchWord, wordsOf } from "./fuzzy";

/** The matching texts, best match first. */
function ranked(query: string, texts: readonly string[], forgiving = false): string[] {
  return texts
    .flatMap((text) => {
      const match = matchAll(wordsOf(query), [{ text, weight: 1 }], forgiving ? matchForgiving : matchWord);
      return match ? [{ text, score: match.score }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text);
}

describe("a match", () => {
  it("is best for the whole name, then its beginning, a word, a part, and scattered letters", () => {
    const names = ["r_e_a_d", "already", "file_read", "read_file", "read"];
    expect(ranked("read", names)).toEqual(["read", "read_file", "file_read", "already", "r_e_a_d"]);
  });

  it("finds the beginnings of words, also in camel case", () => {
    expect(ranked("gfc", ["getFileContents", "graphics"])[0]).toBe("getFileContents");
    expect(ranked("cpr", ["create_pull_request", "compare"])[0]).toBe("create_pull_request");
  });

  it("is not there for letters that are strewn over a long text", () => {
    expect(matchWord("file", "Find a tool, member or action")).toBeNull();
    expect(matchWord("cpr", "create_a_very_long_pull_request")).not.toBeNull();
  });

  it("prefers the shorter of two names", () => {
    expect(ranked("list", ["list_all_the_things", "list_it"])).toEqual(["list_it", "list_all_the_things"]);
  });

  it("needs each of several words, in any order", () => {
    expect(ranked("file read", ["read_file", "read_graph"])).toEqual(["read_file"]);
  });

  it("says where the letters stand", () => {
    expect(matchWord("gfc", "getFileContents")?.at).toEqual([0, 3, 7]);
    expect(matchWord("file", "read_file")?.at).toEqual([5, 6, 7, 8]);
    for (const [word, text] of [["aab", "xaxaxb"], ["ed", "needed"]] as const) {
      const at = matchWord(word, text)?.at ?? [];
      expect(at.map((place) => text[place]).join("")).toBe(word);
    }
  });

  it("is not there for letters that are missing or in another order", () => {
    expect(matchWord("xyz", "read_file")).toBeNull();
    expect(matchWord("elif", "file")).toBeNull();
    expect(matchWord("longer", "long")).toBeNull();
  });

  it("forgives one wrong or swapped letter when asked to, below every right one", () => {
    expect(ranked("raed", ["read_file"])).toEqual([]);
    expect(ranked("raed", ["read_file"], true)).toEqual(["read_file"]);
    expect(ranked("reqad", ["read_file", "write"], true)).toEqual(["read_file"]);
    expect(matchForgiving("raed", "read")!.score).toBeLessThan(matchWord("rd", "read")!.score);
    expect(matchForgiving("rx", "r")).toBeNull();
  });

  it("keeps to letters whose lower case is as long as they are", () => {
    const text = "İstanbul";
    for (const place of matchWord("stan", text)?.at ?? []) expect(text[place]).toBeDefined();
    expect(matchWord("stan", text)?.at).toEqual([1, 2, 3, 4]);
  });

  it("is looked for in 2,202 long names while a key goes down, also on a busy machine", () => {
    const names = Array.from({ length: 2_202 }, (_, index) => `item_${index}_${"update_thing_".repeat(4)}`);
    const times = ["iut", "iutu", "iutut"].map((query) => {
      const began = performance.now();
      expect(ranked(query, names)).toHaveLength(2_202);
      return performance.now() - began;
    });
    expect(Math.min(...times)).toBeLessThan(500);
  });
});
