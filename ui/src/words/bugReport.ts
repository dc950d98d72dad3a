import { counted } from "./format";

export const words = {
  title: "A bundle for a bug report",
  text: "One file with what is needed to understand a failure. The values of secrets, and what looks like one, are masked. Look through it before you send it to anybody.",
  contents: "what would be in it",
  whatIsInIt: "What is in it",
  notInIt: (what: string) => `▲ Not in it: ${what}`,
  file: "File",
  holds: "What it holds",
  bytes: "Bytes",
  masked: "Masked",
  places: (count: number) => counted(count, { one: "place", other: "places" }),
  written: (path: string) => `✓ Written to ${path}`,
  close: "Close",
  save: "Save…",
  saving: "Saving…",
  noDialog: "There is no dialog for files here",
  beingWritten: "It is being written",
  cannotBeMade: "It can't be put together",
  beingMade: "It is being put together",
};
