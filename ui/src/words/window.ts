import { counted, keyed, number } from "./format";

export const words = {
  closeRoster: "Close the roster",
  rosterWidth: "Width of the roster",
  cancel: "cancel",
  warningCount: (count: number) => counted(count, { one: "warning", other: "warnings" }),

  dock: "Dock",
  dockHeight: "Height of the dock",
  savedCalls: "Saved calls",
  smallerDock: "Make the dock smaller",
  largerDock: "Make the dock larger",
  closeDock: "Close the dock",
  closeByKey: (keys: string | undefined) => keyed("Close", keys),

  close: "Close",
  dismiss: "Dismiss",
  saveBundle: "Save a bundle for a bug report…",
  warnings: "Warnings",
  noConnection: "No connection",
  notUpToDate: "What stands here is no longer kept up to date.",

  gone: (member: string) =>
    `${member} is no longer in the members' folder. Its page comes back when it does; until then there are the other members in the roster.`,
  showWelcome: "Show the welcome page",
  pageNotShown: "This page could not be shown.",
  tryAgain: "Try again",

  haveFailed: (count: number, names: readonly string[]) => `${number(count)} members have failed: ${names.join(", ")}`,
  hasFailed: (member: string, why: string) => `${member} has failed. ${why}`,
  listsUnread: (members: readonly string[]) => `The tool lists of ${number(members.length)} members could not be read: ${members.join(", ")}.`,
  counts: (ready: number, starting: number, failed: number) => `${number(ready)} ready, ${number(starting)} starting, ${number(failed)} failed`,

  beingWritten: "It is being written",
  nothingToWrite: "There is nothing to write",
  notWritten: "Not written:",
};
