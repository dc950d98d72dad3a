/** The ways in which something can be looked at, by what is remembered of a choice. */
export const words = {
  Text: "Text",
  Markdown: "Markdown",
  "Spread out": "Spread out",
  Tree: "Tree",
  Table: "Table",
  Raw: "Raw",
  "As sent": "As sent",
  "By path": "By path",
  "By line": "By line",
  Response: "Response",
  Request: "Request",
};

export type View = keyof typeof words;
