/** Splits a book of the documentation into chapters and sections by its headings. */
import type { Anchor, Book } from "../../lib/navigation/books";

export interface Section {
  readonly at: Anchor;
  readonly title: string;
  /** The title of the chapter. For the first section of a chapter, this is the section's own title. */
  readonly chapter: string;
  /** Whether the section is the first of its chapter. */
  readonly opens: boolean;
  /** The Markdown below the heading. Screenshots are removed, because they show the window itself. */
  readonly text: string;
}

const HEADING = /^(#{1,3}) (.+)$/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
/** Matches the beginning of the fix in the text of an error, so that the fix becomes a separate paragraph. */
const FIX = /\n\*\*Fix\.\*\*/g;
const PICTURE = /^!\[[^\]]*\]\([^)]*\)$/;

/** The anchor of a heading: in lower case, with `-` instead of spaces. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

interface Begun {
  title: string;
  chapter: string;
  opens: boolean;
  lines: string[];
}

/**
 * The sections in document order. A heading of the level `chapters` begins a chapter, and a heading one level
 * below begins a section.
 */
export function readBook(book: Book, text: string, chapters: 1 | 2): readonly Section[] {
  const begun: Begun[] = [];
  let fenced = false;
  let chapter = "";
  for (const line of text.split("\n")) {
    if (FENCE.test(line)) fenced = !fenced;
    const [, marks = "", title = ""] = (!fenced && HEADING.exec(line)) || [];
    const level = marks.length;
    if (level === chapters || level === chapters + 1) {
      const opens = level === chapters;
      if (opens) chapter = title;
      begun.push({ title, chapter, opens, lines: [] });
    } else if (level === 0 && !PICTURE.test(line)) begun.at(-1)?.lines.push(line);
  }
  return begun.map(({ lines, ...section }) => ({ ...section, at: `${book}#${slugOf(section.title)}`, text: lines.join("\n").replaceAll(FIX, "\n\n**Fix.**").trim() }));
}
