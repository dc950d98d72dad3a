import { counted, number } from "./format";

const tools = { one: "tool", other: "tools" };

/** What the first paint says, and the app in its place. It is loaded before anything else: no more than that. */
export const words = {
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
  program: (version: string) => `Guild Hall ${version}`,
};
