import { counted, number, plural } from "./format";

const lines = (count: number) => counted(count, { one: "line", other: "lines" });

export const words = {
  tokenOfItsOwn:
    "Each program gets a token of its own when Guild Hall writes its file. Only the entry of the gateway is changed; the rest of the file stays as it is.",
  notListening: "The gateway does not listen now: a program that is connected reaches nothing until it does.",
  files: "the programs' files",
  noProgram: "No program is known whose configuration could name the gateway.",
  programs: "Programs",
  connected: "connected",
  notConnected: "not connected",
  noFile: "no file yet",
  whatToWrite: "What to write",
  undo: "Undo",
  write: "Write it…",
  writeAnew: "Write it anew…",
  isTold: (program: string) => `${program} is told of the gateway.`,
  fileAsWas: (program: string) => `The file of ${program} is as it was.`,
  entryOfGateway: { says: "What stands in the file for the gateway", label: (program: string) => `What to write for ${program}`, copied: (program: string) => `what to write for ${program}` },
  entryOfMember: {
    says: "Or the member itself, so that it runs without Guild Hall",
    label: (program: string) => `The member itself for ${program}`,
    copied: (program: string) => `the member itself for ${program}`,
  },
  beingDone: "It is being done",

  previewFor: (program: string) => `Preview for ${program}`,
  saysSo: "The file says so already: nothing would change.",
  fileMade: "The file is made:",
  wouldChange: "The file would change so:",
  tokenLater: "The token is made when it is written, and is not shown here.",
  /** `{entries}` are names, `{program}` one. */
  entryGoes: "This entry goes: {entries}. {program} reaches it by Guild Hall then, while Guild Hall runs.",
  entriesGo: "These entries go: {entries}. {program} reaches them by Guild Hall then, while Guild Hall runs.",
  /** `{project}` is a folder. */
  shared: "The file belongs to {project}: whoever shares that gets the change too, and the token.",
  comparing: "comparing",
  tooLong: (most: number) => `The file has more than ${number(most)} lines, which is too much to be compared.`,
  lines,
  makeFile: "Make the file",
  writeFile: "Write the file",
  leave: "Leave it",

  commentsGo: (count: number) => `${counted(count, { one: "comment", other: "comments" })} inside the removed entries will be removed too. Undo brings them back.`,
  someTools: (program: string, choices: readonly string[]) => `${program} offered only some tools: ${choices.join("; ")}.`,
  staysConnected: (program: string) => `${program} stays connected to a profile.`,
  onlyTools: (server: string, tools: readonly string[]) => (tools.length === 0 ? `none of ${server}` : `${tools.join(", ")} of ${server}`),
  allBut: (server: string, tools: readonly string[]) => `all of ${server} but ${tools.join(", ")}`,
  choiceKept: (profile: string) => `The profile ${profile} keeps this choice, without members that come later.`,
  getsAll: (program: string) => `${program} gets all tools now.`,
  giveAllTools: (program: string) => `Give ${program} all tools of all members`,

  written: "Written.",
  undone: "The file is as it was before.",
  entriesBack: "The entries are back. Changes made to the file since are kept.",
  /** `{file}` is a path. */
  backup: "As it was, it is kept at {file}.",
  tokenValid: (clients: readonly string[]) => `Still valid: the token of ${clients.join(", ")}.`,
  revokeToken: (count: number) => plural(count, { one: "Revoke token", other: "Revoke tokens" }),
  toDoNow: "What to do now:",
};
