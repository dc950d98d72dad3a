import { counted, number } from "./format";

const tools = (count: number) => counted(count, { one: "tool", other: "tools" });

/** What an agent sees at an endpoint. */
export const words = {
  whatAgentSees: "what the agent sees",
  mode: "Mode",
  ownMode: "the endpoint's own",
  parts: "Parts of what the agent sees",
  tools: (count: number) => `Tools (${number(count)})`,
  withheld: (count: number) => `Withheld (${number(count)})`,
  costByMember: "Cost by member",
  trySearch: "Try a search",
  payload: "Payload",
  whatItCosts: "What it costs",
  listed: (count: number, size: string) => `${tools(count)} listed, ${size}`,
  tokens: "Tokens",
  againstFull: "Against full",
  payloadCut: (shown: string, all: string) => `Only the first ${shown} of ${all} are shown; the agent gets all of it.`,
  payloadOf: "result of tools/list",

  noTool: "An agent gets no tool here. Look at what is withheld, and why.",
  toolsOfAgent: "Tools that the agent gets",
  nameForAgents: "Name for agents",
  hints: "Hints",
  member: "Member",
  policy: "Policy",
  enterOpens: "Enter opens the tool.",

  nothingWithheld: "Nothing is withheld: an agent gets every tool of this endpoint.",
  withheldTools: "Withheld tools",
  toolCount: tools,
  fewer: "Fewer",
  andMore: (count: number) => `and ${number(count)} more`,

  noMember: "No member gives any tool here. Choose another endpoint above, or start a member in the roster.",
  menuCostsSame: "A menu costs the same whatever the members have; these are the costs without it.",
  toolsColumn: "Tools",
  shareOf: (mode: string) => `Share of ${mode}`,
  showAlone: (member: string) => `Show what ${member} gives alone`,

  task: "What is to be done, as an agent would say it",
  taskSample: "rename a file in my notes",
  searchFindsNothing: "Search finds no tool for this task. Its words stand in no name, description or parameter.",
  found: (count: number) => `${tools(count)} found`,
  foundBest: (count: number) => `${tools(count)} found, the best ones`,
  bestFirst: "Found, the best first",
  onlyOrder: "Only the order means something",
};
