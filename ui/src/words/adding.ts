/** The ways in which servers are brought in by hand, and what is dropped on the window. */
export const words = {
  addMembers: "Add members",
  lead: "Add members…",
  fromOtherPrograms: "From other programs:",
  whereFrom: "Where the members come from",
  ways: { paste: "Paste or file", bundle: "Bundle", registry: "Registry", write: "Write one" },
  dropHere: "Drop a configuration or a bundle to see what it would run. Nothing is started by it.",
  severalDropped: { message: "Several files were dropped at once.", hint: "Drop one after the other: each shows what it would run." },
  noFileDropped: { message: "What was dropped is no file.", hint: "Drop a file, or paste the text." },
};
