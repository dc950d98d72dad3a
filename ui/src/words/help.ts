export const words = {
  open: "Help on what is shown here",
  openCode: (code: string) => `${code}: what it means and what to do`,
  search: "Search the guide and the errors",
  nothing: "No section has these words.",
  books: { "user-guide": "User guide", errors: "Error codes" },
};
