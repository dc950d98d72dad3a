/** The guide and the error list from the documentation. They are large, so this module is a separate chunk. */
import errors from "../../../../docs/errors.md?raw";
import guide from "../../../../docs/user-guide.md?raw";
import type { Anchor, Book } from "../../lib/navigation/books";
import { readBook, type Section } from "./book";

export const SECTIONS: Readonly<Record<Book, readonly Section[]>> = {
  "user-guide": readBook("user-guide", guide, 2),
  errors: readBook("errors", errors, 1),
};

export const ALL: readonly Section[] = [...SECTIONS["user-guide"], ...SECTIONS.errors];

const BY_ANCHOR: ReadonlyMap<string, Section> = new Map(ALL.map((section) => [section.at, section]));

export function sectionAt(at: Anchor): Section | undefined {
  return BY_ANCHOR.get(at);
}

/** The section to which a link in a book leads; `null` if the link leads out of the books. */
export function followed(address: string, from: Anchor): Section | null {
  const [file = "", id = ""] = address.split("#");
  const book = file === "" ? from.split("#")[0] : file.replace(/\.md$/, "");
  return ALL.find(({ at }) => at === `${book ?? ""}#${id}`) ?? null;
}
