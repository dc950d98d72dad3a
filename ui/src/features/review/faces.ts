/** The icon, color and label for each state in a review. */
import type { LaunchTrust, Origin, SchemaEffect, ToolDifference } from "../../ipc/bindings";
import type { Face } from "../../components/status";

export const TRUST: Record<LaunchTrust, Face> = {
  own: { shape: "dot", colour: "text-ok", word: "Created by you" },
  accepted: { shape: "dot", colour: "text-ok", word: "Approved" },
  unreviewed: { shape: "shield", colour: "text-warn", word: "Needs review" },
  changed: { shape: "delta", colour: "text-warn", word: "Changed, needs review" },
};

export const DIFFERENCE: Record<ToolDifference, Face> = {
  same: { shape: "dot", colour: "text-faint", word: "Unchanged" },
  new: { shape: "plus", colour: "text-accent", word: "New" },
  changed: { shape: "delta", colour: "text-warn", word: "Changed" },
  gone: { shape: "minus", colour: "text-dim", word: "Removed" },
};

export const EFFECT: Record<SchemaEffect, Face> = {
  breaking: { shape: "cross", colour: "text-bad", word: "Breaking" },
  widened: { shape: "ring", colour: "text-accent", word: "Widened" },
  words: { shape: "ring", colour: "text-faint", word: "Text only" },
};

/** The names of the apps and other sources from which a member can come. */
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

/** A label for the origin of a member, such as `Cursor, /home/me/.cursor/mcp.json`. */
export function originWords({ from, path, url, server }: Origin): string {
  return [PROGRAMS.get(from) ?? from, server, path ?? url].filter((part) => part !== null).join(", ");
}
