/** The documents that the Help page shows, and the links to their sections. */

/** The names of the documents, which are their file names in `docs` without `.md`. */
export const BOOKS = ["user-guide", "errors"] as const;
export type Book = (typeof BOOKS)[number];
export const BOOK_TITLES: Readonly<Record<Book, string>> = { "user-guide": "User guide", errors: "Error codes" };

/** A link to a section of a document, such as `user-guide#policies`. */
export type Anchor = `${Book}#${string}`;
