/** What a review is told in. */
import type { BreakageKind, LaunchTrust, Origin, SchemaEffect, SuspicionKind, ToolDifference } from "../bridge/bindings";

export interface Mark {
  readonly shape: string;
  readonly colour: string;
  readonly word: string;
}

export const TRUST: Record<LaunchTrust, Mark> = {
  own: { shape: "●", colour: "text-ok", word: "yours: its manifest was written in the members' folder" },
  accepted: { shape: "●", colour: "text-ok", word: "accepted" },
  unreviewed: { shape: "◇", colour: "text-warn", word: "not accepted: it is never started" },
  changed: { shape: "Δ", colour: "text-warn", word: "changed since it was accepted: it is not started" },
};

export const DIFFERENCE: Record<ToolDifference, Mark> = {
  same: { shape: "●", colour: "text-faint", word: "as it was" },
  new: { shape: "+", colour: "text-accent", word: "new" },
  changed: { shape: "Δ", colour: "text-warn", word: "changed" },
  gone: { shape: "−", colour: "text-dim", word: "gone" },
};

export const EFFECT: Record<SchemaEffect, Mark> = {
  breaking: { shape: "✕", colour: "text-bad", word: "breaking" },
  widened: { shape: "○", colour: "text-accent", word: "widened" },
  words: { shape: "○", colour: "text-faint", word: "words only" },
};

export const SUSPICION: Record<SuspicionKind, string> = {
  invisible: "Characters that can't be seen",
  instruction: "Words meant for a model",
  "look-alike": "A name like another",
  shadows: "A name that another member has",
};

export const BREAKS: Record<BreakageKind, string> = {
  "saved-call": "the saved call",
  policy: "the policy",
  profile: "the profile",
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
  ["continue", "Continue"],
  ["goose", "Goose"],
  ["pasted", "a text that was pasted"],
  ["file", "a file"],
  ["command-line", "the command line"],
]);

/** Where a member comes from, in words. */
export function originWords({ from, path, url, server }: Origin): string {
  const words = [PROGRAMS.get(from) ?? from, server, path ?? url];
  return words.filter((word) => word !== null).join(", ");
}
