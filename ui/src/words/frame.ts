import type { Freshness, Status } from "../bridge/bindings";
import { counted, number } from "./format";
import type { Theme } from "./theme";

const status: Record<Status, string> = {
  stopped: "stopped",
  starting: "starting",
  ready: "ready",
  stopping: "stopping",
  error: "failed",
  backoff: "retrying",
  "crash-loop": "crash loop",
  disabled: "disabled",
  unreviewed: "unreviewed",
};

/** Of a list that is not what the server says now. */
const freshness: Record<Exclude<Freshness, "live" | "unknown">, string> = {
  refreshing: "refreshing",
  cached: "cached",
  outdated: "outdated",
};

const themes: Record<Theme, string> = {
  system: "system",
  light: "light",
  dark: "dark",
  "contrast-light": "high contrast, light",
  "contrast-dark": "high contrast, dark",
};

/** Keys that are not called as the code calls them. */
const keys: Readonly<Record<string, string>> = {
  PageUp: "Page Up",
  PageDown: "Page Down",
};

const tools = { one: "tool", other: "tools" };

/** What the first paint says, and the app in its place. It is loaded before anything else: no more than that. */
export const words = {
  status,
  freshness,
  themes,
  keys,
  findAnything: "Find tool, member, action…",
  theme: (name: string) => `Theme: ${name}`,
  themeAndNext: (name: string) => `Theme: ${name}. Click for the next.`,
  roster: "Roster",
  toolCount: (count: number) => counted(count, tools),
  membersAndTools: (members: number, count: number) =>
    `${counted(members, { one: "member", other: "members" })} with ${counted(count, tools)}`,
  refreshAll: "Read all tool lists anew, starting members where needed",
  noMembersYet: "There are no members yet. The page beside says how one is added.",
  searchWithKey: (keys: string | undefined) => (keys === undefined ? "Search all tools" : `Search all tools  ${keys}`),
  running: (calls: number) => `${number(calls)} running`,
  callsRunning: (calls: number) => `${counted(calls, { one: "call", other: "calls" })} running`,
  ready: (members: number) => `${number(members)} ready`,
  starting: (members: number) => `${number(members)} starting`,
  failed: (members: number) => `${number(members)} failed`,
  saveBundle: "Save a bundle for a bug report",
  program: (version: string) => `Guild Hall ${version}`,
};
