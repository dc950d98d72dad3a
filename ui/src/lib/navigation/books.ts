/** The books that the window shows as help, and the links into them. */

/** Named after their files in `docs`. */
export const BOOKS = ["user-guide", "errors"] as const;
export type Book = (typeof BOOKS)[number];
export const BOOK_TITLES: Readonly<Record<Book, string>> = { "user-guide": "User guide", errors: "Error codes" };

/** A section of a book, as a link in the docs names it. */
export type Anchor = `${Book}#${string}`;
