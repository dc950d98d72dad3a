import type { CopyForm, ToolMark } from "../bridge/bindings";

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
  mark,

  waits: (member: string) => `${member} is starting; a call waits until it is ready.`,
  isDisabled: (member: string) => `${member} is disabled in its manifest, so its tools can't be called.`,
  isUnreviewed: (member: string) => `Nobody has accepted what ${member} runs, so its tools can't be called.`,
  startsFirst: (member: string) => `${member} does not run; a call starts it first.`,

  copyForms,
};
