import type { AgentTab } from "../agents/agents";
import type { Listing, Policy } from "../bridge/bindings";

const tabs: Record<AgentTab, string> = {
  gateway: "Gateway",
  view: "What the agent sees",
  policies: "Tools and policies",
  profiles: "Profiles",
  approvals: "Approvals",
  traffic: "Traffic",
  connect: "Connect",
};

const policies: Record<Policy, string> = { allow: "allow", ask: "ask", deny: "deny" };

const listings: Record<Listing, string> = {
  lazy: "names and first sentences; a tool is described when it is asked for",
  full: "every tool with its whole schema",
  search: "a menu of four tools to find, describe and call the others",
};

/** What concerns agents on every page of theirs, and is reached from everywhere. */
export const words = {
  agents: "Agents",
  concernsAgents: "What concerns agents",
  tabs,
  policies,
  listings,
  gateway: "the gateway",
  gatewayStates: { off: "off", notListening: "does not listen", starting: "starting", listening: "listening" },
  onPort: (state: string, port: number) => `${state} on :${port}`,
  allMembers: "all members",
  profileCalled: (name: string) => `profile ${name}`,
  endpoint: "Endpoint",
  profiles: "Profiles",
  members: "Members",
  endpointAddress: "the endpoint's address",
  chosen: "Chosen",

  go: "Agents: the gateway and what it gives",
  goToCatalogue: "All tools: the catalogue",
  goToTab: (tab: string) => `Agents: ${tab}`,
  decide: (call: string) => `Decide: ${call}`,
  decideSome: "Decide about an agent's call",
  noneWaits: "No agent's call waits",
};
