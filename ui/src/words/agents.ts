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
  tabs,
  policies,
  listings,

  decide: (call: string) => `Decide: ${call}`,
};
