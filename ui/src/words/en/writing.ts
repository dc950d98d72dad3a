export const writing = {
  whatItIs: "A small server that works, to be changed into your own: two tools with schemas, a progress, a failure that the caller can read, and examples that are checked. It is put into the members' folder by a command in a terminal.",
  language: "Language",
  name: "Name of the member",
  noName: "A name has 1 to 64 letters, digits, dots, lines and underscores.",
  taken: (name: string) => `There is a member called ${name} already.`,
  steps: "What to run",
  command: "the command",
  begin: "In a terminal:",
  setUp: "In the folder that it names, once:",
  then: "It is in the roster within a second. The tab Dev of its page shows each change of its files, what it did to the tools, and how the examples went.",
  guide: "Writing a member, in the guide",
};

export type WritingWords = typeof writing;
