import { counted, number } from "./format";

export const words = {
  title: "Find a tool, member or action",
  field: "Tool, member or action…   ? for help",
  list: "What was found",
  reading: "Reading the tool lists…",
  summary: (found: number) => `${number(found)} found · ↑ ↓ to choose, Enter to open`,
  cannot: (entry: string, why: string) => `${entry}: ${why}`,

  lately: "Lately",
  tools: (count: number) => `Tools (${number(count)})`,
  toolsThatSpeak: "Tools whose description has the words",
  toolCount: (count: number) => counted(count, { one: "tool", other: "tools" }),
  members: "Members",
  actions: "Actions",
  saved: "Saved calls",
  calls: "Calls of the past",
  offers: (count: number) => `Resources and prompts (${number(count)})`,

  nothing: "Nothing is called so.",
  noTool: "No tool is called so, or speaks of it.",
  noTools: "There are no members yet, and so no tools.",
  noMember: "No member is called so.",
  noMembers: "There are no members yet.",
  noAction: "No action is called so.",
  noSaved: "No saved call is called so.",
  noCall: "No call of the past has these words.",
  noCalls: "No call was recorded yet.",
  noOffer: "No resource or prompt that is known is called so.",

  whatCanBeFound: "What can be looked for",
  keys: "Keys",
  ways: {
    all: "tools, members and actions",
    tools: "tools",
    members: "members",
    actions: "actions",
    calls: "calls of the past and saved calls",
  },
  beginWith: (first: string) => `begin with ${first}`,
  beginOtherwise: "begin with anything else",
};
