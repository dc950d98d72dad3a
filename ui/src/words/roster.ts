import { counted, number } from "./format";

const toolWord = { one: "tool", other: "tools" };

export const words = {
  listsBeingRead: "The lists are being read",
  refreshing: "Refreshing…",
  found: "Tools found",
  noMatch: "No tool matches.",
  best: (shown: number, total: number) => `The best ${shown} of ${number(total)}`,
  count: (total: number) => `${number(total)} found`,

  exposed: "exposed",
  held: (tools: number) => `${counted(tools, toolWord)} held back`,
  heldFromAgents: (tools: number) => `${counted(tools, toolWord)} held back from agents until accepted`,
  heldOne: "held back",
  heldOneFromAgents: "Held back from agents until it is accepted",
  changed: (tools: number) => `${counted(tools, toolWord)} changed just now`,
  changedByFiles: (tools: number) => `${counted(tools, toolWord)} changed with the last change of its files`,
  difference: { new: "new", changed: "changed" },
  differsByFiles: "By the last change of its member's files",
  outdated: "Outdated: said by another version or configuration",

  unreadable: (why: string) => `The list could not be read: ${why}`,
  reading: "Reading the list…",
  leftOut: (entries: number) => `${counted(entries, { one: "entry was", other: "entries were" })} left out of the list`,
  noTools: "It has no tools. Its log says more.",
  notKnown: "Its tools are not known.",
  readWhenReady: "Its tools are read when it is ready.",

  log: "Log",
  restart: "Restart",
  restarting: "Restarting…",
};
