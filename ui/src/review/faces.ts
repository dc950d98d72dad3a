/** How what a review finds is called and looks: a shape, a colour and a word together. */
import type { LaunchTrust, Origin, SchemaEffect, ToolDifference } from "../bridge/bindings";
import type { Face } from "../words/status";

const TRUST_WORDS: Record<LaunchTrust, string> = {
  own: "yours: its manifest was written in the members' folder",
  accepted: "accepted",
  unreviewed: "not accepted: it is never started",
  changed: "changed since it was accepted: it is not started",
};

export const TRUST: Record<LaunchTrust, Face> = {
  own: { shape: "dot", colour: "text-ok", word: TRUST_WORDS.own },
  accepted: { shape: "dot", colour: "text-ok", word: TRUST_WORDS.accepted },
  unreviewed: { shape: "shield", colour: "text-warn", word: TRUST_WORDS.unreviewed },
  changed: { shape: "delta", colour: "text-warn", word: TRUST_WORDS.changed },
};

export const DIFFERENCE: Record<ToolDifference, Face> = {
  same: { shape: "dot", colour: "text-faint", word: "as it was" },
  new: { shape: "plus", colour: "text-accent", word: "new" },
  changed: { shape: "delta", colour: "text-warn", word: "changed" },
  gone: { shape: "minus", colour: "text-dim", word: "gone" },
};

export const EFFECT: Record<SchemaEffect, Face> = {
  breaking: { shape: "cross", colour: "text-bad", word: "breaking" },
  widened: { shape: "ring", colour: "text-accent", word: "widened" },
  words: { shape: "ring", colour: "text-faint", word: "Text only" },
};

/** The programs whose words an origin may have, by their names. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ["claude-code", "Claude Code"],
  ["claude-desktop", "Claude Desktop"],
  ["cursor", "Cursor"],
  ["vscode", "VS Code"],
  ["windsurf", "Windsurf"],
  ["cline", "Cline"],
  ["zed", "Zed"],
  ["codex", "Codex"],
  ["gemini-cli", "Gemini CLI"],
  ["opencode", "opencode"],
  ["continue", "Continue"],
  ["goose", "Goose"],
  ["pasted", "pasted text"],
  ["file", "a file"],
  ["command-line", "the command line"],
]);

/** Where a member comes from, in words. */
export function originWords({ from, path, url, server }: Origin): string {
  return [PROGRAMS.get(from) ?? from, server, path ?? url].filter((part) => part !== null).join(", ");
}
