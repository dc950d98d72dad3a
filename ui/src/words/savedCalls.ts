
/** Calls that are kept under a name. */
export const words = {
  rename: "Rename",

  save: "Save",
  name: "Name",
  saved: "The call was saved.",
};
