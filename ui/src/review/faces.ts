/** How what a review finds is called and looks: a shape, a colour and a word together. */
import type { LaunchTrust, Origin, SchemaEffect, ToolDifference } from "../bridge/bindings";
import { words } from "../words/review";
import type { Face } from "../words/status";

export const TRUST: Record<LaunchTrust, Face> = {
  own: { shape: "●", colour: "text-ok", word: words.trust.own },
  accepted: { shape: "●", colour: "text-ok", word: words.trust.accepted },
  unreviewed: { shape: "◇", colour: "text-warn", word: words.trust.unreviewed },
  changed: { shape: "Δ", colour: "text-warn", word: words.trust.changed },
};

export const DIFFERENCE: Record<ToolDifference, Face> = {
  same: { shape: "●", colour: "text-faint", word: words.differences.same },
  new: { shape: "+", colour: "text-accent", word: words.differences.new },
  changed: { shape: "Δ", colour: "text-warn", word: words.differences.changed },
  gone: { shape: "−", colour: "text-dim", word: words.differences.gone },
};

export const EFFECT: Record<SchemaEffect, Face> = {
  breaking: { shape: "✕", colour: "text-bad", word: words.effects.breaking },
  widened: { shape: "○", colour: "text-accent", word: words.effects.widened },
  words: { shape: "○", colour: "text-faint", word: words.effects.words },
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
  ["pasted", "a text that was pasted"],
  ["file", "a file"],
  ["command-line", "the command line"],
]);

/** Where a member comes from, in words. */
export function originWords({ from, path, url, server }: Origin): string {
  return [PROGRAMS.get(from) ?? from, server, path ?? url].filter((part) => part !== null).join(", ");
}
