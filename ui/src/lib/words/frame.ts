import { counted, number } from "../format";

const tools = { one: "tool", other: "tools" };

/** Texts that the first paint and the app share. To keep the first script small, this file has no other texts. */
export const words = {
  theme: (name: string) => `Theme: ${name}`,
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
  showRoster: "Show the roster",
  search: "Search or run a command",
  waiting: (calls: number) => `${counted(calls, { one: "call", other: "calls" })} waiting for approval`,
  filterTools: "Filter tools",
  addMember: "Add member",
  refreshAll: "Refresh all tools",
  noMembersYet: "No members yet",
  callsRunning: (calls: number) => `${counted(calls, { one: "call", other: "calls" })} running`,
  ready: (members: number) => `${number(members)} ready`,
  starting: (members: number) => `${number(members)} starting`,
  failed: (members: number) => `${number(members)} failed`,
};
