/** Divides a book of the docs into chapters and sections, by its headings. */
import type { Anchor, Book } from "../../lib/navigation/books";

export interface Section {
  readonly at: Anchor;
  readonly title: string;
  /** The title of its chapter; the section's own title if it begins the chapter. */
  readonly chapter: string;
  /** Whether the chapter begins with it. */
  readonly opens: boolean;
  /** The Markdown below its heading, without pictures: they show the window itself. */
  readonly text: string;
}

const HEADING = /^(#{1,3}) (.+)$/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
/** The second part of an error's text, in a separate paragraph. */
const FIX = /\n\*\*Fix\.\*\*/g;
const PICTURE = /^!\[[^\]]*\]\([^)]*\)$/;

/** The anchor of a heading: lower case, words joined by `-`. */
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

/** The sections in their order. Headings of the level `chapters` begin a chapter, those below it a section. */
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
