/** A book of the docs as its chapters and sections, by its headings. */
import type { Anchor, Book } from "./anchors";

export interface Section {
  readonly at: Anchor;
  readonly title: string;
  /** The title of its chapter; the section's own title if it begins the chapter. */
  readonly chapter: string;
  /** Whether the chapter begins with it. */
  readonly opens: boolean;
  /** The text below its heading, without pictures: they only show the window itself. */
  readonly text: string;
}

const HEADING = /^(#{1,3}) (.+)$/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const PICTURE = /^!\[[^\]]*\]\([^)]*\)$/;

/** Markup that begins a new line, also right below another: code, tables, lists, quotes, the parts of an error. */
const LINE_OF_ITS_OWN = /^(?: {4}|\||>|#| *(?:[-*+]|\d+[.)]) |\*\*(?:Cause|Fix)\.\*\*)/;

/** Lines that were wrapped in the docs, in one: here they wrap where the window does. */
function unwrapped(lines: readonly string[]): string {
  const whole: string[] = [];
  let fenced = false;
  for (const line of lines) {
    const fence = FENCE.test(line);
    const before = whole.at(-1) ?? "";
    const goesOn = !fenced && !fence && line.trim() !== "" && !LINE_OF_ITS_OWN.test(line);
    if (goesOn && before.trim() !== "" && !FENCE.test(before) && !/^(?: {4}|\||#)/.test(before)) {
      whole[whole.length - 1] = `${before} ${line.trim()}`;
    } else whole.push(line);
    if (fence) fenced = !fenced;
  }
  return whole.join("\n").trim();
}

/** What a link calls a heading: small letters, words joined by `-`. */
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
  return begun.map(({ lines, ...section }) => ({ ...section, at: `${book}#${slugOf(section.title)}`, text: unwrapped(lines) }));
}
