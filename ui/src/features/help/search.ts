/** Finds sections by their words. */
import type { Section } from "./book";

export interface Hit {
  readonly section: Section;
  /** A few words around the first match; empty where only the heading matches. */
  readonly excerpt: string;
}

/** The number of hits that are shown. */
const HITS_MAX = 40;
/** Characters of an excerpt before and after the word. */
const AROUND = 60;
/** A word in a heading weighs more than one below it. */
const IN_TITLE = 3;

/** The sections that have all the words, those that have them in their heading first. */
export function findSections(sections: readonly Section[], query: string): readonly Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return sections
    .flatMap((section) => {
      const title = section.title.toLowerCase();
      const text = section.text.toLowerCase();
      if (!words.every((word) => title.includes(word) || text.includes(word))) return [];
      const score = words.reduce((sum, word) => sum + (title.includes(word) ? IN_TITLE : 1), title === words.join(" ") ? 10 : 0);
      return [{ section, score, excerpt: excerptOf(section.text, words) }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, HITS_MAX);
}

function excerptOf(text: string, words: readonly string[]): string {
  const plain = text.replace(/\s+/g, " ").replaceAll(/\*\*|`/g, "");
  const lower = plain.toLowerCase();
  const at = words.map((word) => lower.indexOf(word)).find((place) => place >= 0);
  if (at === undefined) return "";
  const from = Math.max(0, at - AROUND);
  const to = Math.min(plain.length, at + AROUND);
  return `${from > 0 ? "…" : ""}${plain.slice(from, to).trim()}${to < plain.length ? "…" : ""}`;
}
