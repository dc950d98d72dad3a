/** The ways in which servers are brought in by hand, and what is dropped on the window. */
export const words = {
  severalDropped: { message: "Several files were dropped at once.", hint: "Drop one after the other: each shows what it would run." },
  noFileDropped: { message: "What was dropped is no file.", hint: "Drop a file, or paste the text." },
};
