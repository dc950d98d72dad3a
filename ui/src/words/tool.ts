import type { CopyForm, ToolMark } from "../bridge/bindings";
import { counted } from "./format";

const mark: Record<ToolMark, string> = {
  new: "Δ new since it was accepted: held back from agents",
  changed: "Δ changed since it was accepted: held back from agents",
};

const copyForms: Record<CopyForm, string> = {
  "json-rpc": "JSON-RPC message",
  curl: "curl script",
  guildhall: "guildhall command",
  "client-config": "Client configuration",
};

export const words = {
  theTool: "the tool",
  cached: "cached",
  cachedMeans: "From the cache; its server has not said it in this run",
  outdated: "▲ outdated: said by another version or configuration",
  mark,
  markMeans: "Your own calls work; agents get it once it is accepted",
  saysNothing: "The server does not say whether it changes or destroys anything.",
  says: "The server says: ",
  more: "more",
  less: "less",

  notConfirmed: (member: string) => `${member}'s server has not confirmed that it has this tool, so it can't be called.`,
  waits: (member: string) => `${member} is starting; a call waits until it is ready.`,
  isDisabled: (member: string) => `${member} is disabled in its manifest, so its tools can't be called.`,
  isUnreviewed: (member: string) => `Nobody has accepted what ${member} runs, so its tools can't be called.`,
  startsFirst: (member: string) => `${member} does not run; a call starts it first.`,
  beingStarted: (member: string) => `${member} is being started…`,
  beingStartedSays: (member: string) => `${member} is being started: `,

  formWidth: "Width of the form",
  arguments: "Arguments",
  results: "Results",

  runQuestion: (tool: string, member: string) => `Run ${tool} of ${member}?`,
  mayDestroy: "The server says that this tool may destroy something. Exactly this is sent:",
  mayDestroyUnchecked: "The server says that this tool may destroy something. Exactly this is sent, without a check against the tool's schema:",
  whatIsSent: "what is sent",
  neverAskAgain: "Do not ask again for this tool in this window",
  send: "Send it",
  doNotSend: "Do not send",
  sendKeys: "Tab to a button, then Enter; Esc goes back.",

  copyAs: "Copy as",
  copyForms,
  copied: (what: string, note: string | null) => (note === null ? `${what} copied.` : `${what} copied. ${note}`),
  notCopied: (what: string) => `${what} could not be copied.`,
  beingWritten: "being written…",
  notSendable: (why: string | null) => `The form can't be sent yet: ${why ?? "it holds no JSON"}`,

  running: "running",
  fresh: "new",
  runs: "Calls of this tool",
  cancel: "Cancel",
  cancelRun: (number: number) => `Cancel call ${number}`,
  compare: "Compare",
  areCompared: "They are being compared",
  twoMustHaveEnded: "Two calls have to have ended",
  compareTwo: "Compare two results",
  left: "Left",
  right: "Right",
  swap: "Swap",
  back: "Back to the result",

  calls: "calls",
  callsOfWindow: "Calls of this window",
  ended: (tool: string, member: string, how: string) => `${tool} of ${member}: ${how}`,
  endedSeveral: (count: number, tool: string, member: string, how: string) =>
    `${counted(count, { one: "call", other: "calls" })} ended, the newest ${tool} of ${member}: ${how}`,
  cancelShort: "cancel",
  cancelCall: (tool: string, member: string, number: number) => `Cancel ${tool} of ${member}, call ${number}`,
  earlier: "Earlier calls: the history",
};
