/** The guide and the list of errors as they stand in the docs, in the window's language where they are in it. Large: a chunk of its own. */
import germanErrors from "../../../docs/de/errors.md?raw";
import germanGuide from "../../../docs/de/user-guide.md?raw";
import errors from "../../../docs/errors.md?raw";
import guide from "../../../docs/user-guide.md?raw";
import { language, type Language } from "../words/chosen";
import type { Anchor, Book } from "./anchors";
import { readBook, translated, type Section } from "./book";

type Books = Readonly<Record<Book, readonly Section[]>>;

/** The books for who reads a language. */
export function booksFor(reader: Language): Books {
  const english: Books = { "user-guide": readBook("user-guide", guide, 2), errors: readBook("errors", errors, 1) };
  const books: Record<Language, Books> = {
    en: english,
    de: {
      "user-guide": translated(readBook("user-guide", germanGuide, 2), "de", english["user-guide"]),
      errors: translated(readBook("errors", germanErrors, 1), "de", english.errors),
    },
  };
  return books[reader];
}

export const SECTIONS: Books = booksFor(language);

export const ALL: readonly Section[] = [...SECTIONS["user-guide"], ...SECTIONS.errors];

const BY_ANCHOR: ReadonlyMap<string, Section> = new Map(ALL.map((section) => [section.at, section]));

export function sectionAt(at: Anchor): Section | undefined {
  return BY_ANCHOR.get(at);
}

/** The section of `all` that a link in one of them leads to, by its heading; `null` where it leads out of the books. */
export function followed(address: string, from: Anchor, all: readonly Section[] = ALL): Section | null {
  const [file = "", id = ""] = address.split("#");
  const book = file === "" ? from.split("#")[0] : file.replace(/\.md$/, "");
  return all.find(({ own }) => own === `${book ?? ""}#${id}`) ?? null;
}
