/** What can be wrong with a name that a person gives. */
export const words = {
  malformed: "A name has 1 to 64 of A-Z a-z 0-9 . _ - and begins with a letter or digit.",
};
