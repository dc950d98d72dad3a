/** Searches the sections of the help. */
import type { Section } from "./book";

export interface Hit {
  readonly section: Section;
  /** The text around the first match; empty if only the heading matches. */
  readonly excerpt: string;
}

/** The maximum number of results. */
const HITS_MAX = 40;
/** The number of characters before and after the match in an excerpt. */
const AROUND = 60;
/** The score of a word in a heading. A word in the text scores 1. */
const IN_TITLE = 3;

/** The sections that contain all words of the query. Matches in headings come first. */
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
