/** What can be wrong with a name that a person gives. */
export const words = {
  missing: "Give it a name first.",
  malformed: "A name has 1 to 64 of A-Z a-z 0-9 . _ - and begins with a letter or digit.",
  memberTaken: (name: string) => `There is a member called ${name} already.`,
  tickedTwice: (name: string) => `Two of the ticked servers are called ${name}.`,
  profileTaken: (name: string) => `There is a profile called ${name} already.`,
};
