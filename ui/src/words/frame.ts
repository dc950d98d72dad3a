import { counted, number } from "./format";

const tools = { one: "tool", other: "tools" };

/** What the first paint says, and the app in its place. It is loaded before anything else: no more than that. */
export const words = {
  theme: (name: string) => `Theme: ${name}`,
  themeAndNext: (name: string) => `Theme: ${name}. Click for the next.`,
  roster: "Roster",
  membersAndTools: (members: number, count: number) =>
    `${counted(members, { one: "member", other: "members" })} with ${counted(count, tools)}`,
  home: "Home",
  agents: "Agents",
  history: "History",
  settings: "Settings",
  help: "Help",
  program: "Program",
  sidebar: "Sidebar",
  search: "Search or run a command",
  waiting: (calls: number) => `${counted(calls, { one: "call waits", other: "calls wait" })} for approval`,
  filterTools: "Filter tools",
  addMember: "Add member",
  refreshAll: "Refresh all tools",
  noMembersYet: "No members yet",
  running: (calls: number) => `${number(calls)} running`,
  callsRunning: (calls: number) => `${counted(calls, { one: "call", other: "calls" })} running`,
  ready: (members: number) => `${number(members)} ready`,
  starting: (members: number) => `${number(members)} starting`,
  failed: (members: number) => `${number(members)} failed`,
  version: (version: string) => `Guild Hall ${version}`,
};
