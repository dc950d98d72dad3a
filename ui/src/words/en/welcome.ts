import type { Forms } from "../chosen";

const members: Forms = { one: "member", other: "members" };
const tools: Forms = { one: "tool", other: "tools" };

export const welcome = {
  title: "Welcome to the Guild Hall",
  members,
  tools,
  /** With how many members and tools there are. */
  summary: (members: string, tools: string) => `${members} with ${tools}. Open a member in the roster to see its tools, and a tool to call it from a form.`,
  firstSteps: "First steps",
  done: "done",
  now: "next",
  later: "to do",
  leave: "Leave this",
  leaveHint: "Puts the first steps away. Help and the palette bring them back.",
  bringBack: "Show the first steps",

  startsTitle: "What starts now",
  starts: (members: string) => `Guild Hall starts ${members} now, and nothing else but your login shell, for its variables:`,
  startsNothing: "Guild Hall starts nothing by itself now.",
  moreMembers: { one: "more", other: "more" },
  startsMore: (more: string) => `and ${more}; each member's page says what it runs`,
  startsOwn: "Guild Hall's own program",
  startsOnDemand: "to list its tools, and again when it is called",
  startsUnknown: "its page says what is wrong with it",

  try: "Try a tool",
  tryText: "Opens a tool with its form filled in. One key runs it, and its result appears beside the form.",
  tryDone: (tool: string, ago: string) => `${tool} was called, ${ago}.`,
  tryButton: "Try it",
  tryAgain: "Try another",
  tryComing: "It opens as soon as the first tools are known…",
  filled: (keys: string | undefined) => `Filled with the tool's own example${keys === undefined ? "" : `: ${keys} runs it`}.`,

  found: "Servers of your other programs",
  foundSome: (servers: string) => `${servers} in the files of other programs. This is what they would run; nothing of it starts before you say yes.`,
  foundServers: { one: "server stands", other: "servers stand" } satisfies Forms,
  moreServers: { one: "more", other: "more" },
  foundMore: (more: string) => `and ${more}`,
  foundNothing: "The files of other programs have no server that is no member.",
  foundReading: "The files of other programs are being looked at. Nothing in them is started.",
  foundUnknown: "The files of other programs could not be looked at.",
  foundLeft: "Put away. The number in the status bar leads there.",
  foundButton: "Look at them",
  foundOpen: "Found servers",
  foundLeave: "Not these",

  agent: "Connect an agent",
  agentText: "Assistants, editors and other programs with an agent get the tools of all members at one address. No agent has called yet.",
  agentCalled: (agent: string, tool: string, ago: string) => `${agent} called ${tool}, ${ago}.`,
  agentSeen: (client: string) => `${client} was here.`,
  agentUnnamed: "An agent",
  agentButton: "Connect a program",
  agentOpen: "The agents' page",

  allDone: "All of it is done.",
  tour: "Take the tour",
  tourText: "Six stops, a minute; Esc ends it.",
  tourDecline: "No tour",

  others: "Other programs have servers in their files that no member runs.",
  readingMembers: "the members",
  noMembers: "No members yet",
  noMembersFolder: "Guild Hall looks for members in this folder, and watches it:",
  noMembersManifest: "Each member is a folder of its own with a {file} that says how its MCP server is started:",
  noMembersSample: "the sample",
  noMembersThen: "A member that you add shows up here within a second.",
  noMembersFound: "Servers that other programs have in their files can be adopted; nothing of them is started before that:",
  noMembersPaste: "What a server's page shows can be pasted, or brought in as a file:",
  membersTitle: "Members",
  open: "Open",
  openMember: (member: string) => `Open ${member}`,
  keysTitle: "Keys",
};

export type WelcomeWords = typeof welcome;
