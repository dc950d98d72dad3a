export const help = {
  title: "Help",
  open: "Help on what is shown here",
  openCode: (code: string) => `${code}: what it means and what to do`,
  search: "Search the guide and the errors",
  found: (count: string) => `${count} found`,
  nothing: "No section has these words.",
  contents: "Contents",
  books: { "user-guide": "User guide", errors: "Error codes" },
  back: "Back",
  backTo: "Back to where you were",
  before: "Before",
  next: "Next",
  missing: "There is no such section. The contents have all there are.",
  firstSteps: "First steps",
  tour: "Take the tour",
  sections: "In the guide and the errors",
  about: "About Guild Hall…",
  keys: "All keys…",
};

export type HelpWords = typeof help;
