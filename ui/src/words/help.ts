export const words = {
  books: { "user-guide": "User guide", errors: "Error codes" },
};
