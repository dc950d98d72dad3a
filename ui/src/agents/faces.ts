/** How what concerns agents is called and looks: always a shape, a colour and a word together. */
import type { Endpoint, GatewayState, Listing, Policy } from "../bridge/bindings";
import type { Face } from "../words/status";
import type { AgentTab } from "./agents";

const TABS: Record<AgentTab, string> = {
  gateway: "Gateway",
  view: "What the agent sees",
  policies: "Tools and policies",
  profiles: "Profiles",
  approvals: "Approvals",
  traffic: "Traffic",
  connect: "Connect",
};

const LISTING_WORDS: Record<Listing, string> = {
  lazy: "names and first sentences; a tool is described when it is asked for",
  full: "every tool with its whole schema",
  search: "a menu of four tools to find, describe and call the others",
};

const POLICIES: Readonly<Record<Policy, Face>> = {
  allow: { shape: "dot", word: "allow", colour: "text-ok" },
  ask: { shape: "question", word: "ask", colour: "text-warn" },
  deny: { shape: "cross", word: "deny", colour: "text-bad" },
};

export const POLICY_ORDER: readonly Policy[] = ["allow", "ask", "deny"];

export function policyFace(policy: Policy): Face {
  return POLICIES[policy];
}

export const LISTINGS: readonly Listing[] = ["lazy", "full", "search"];

export function listingWords(listing: Listing): string {
  return LISTING_WORDS[listing];
}

export function tabWord(tab: AgentTab): string {
  return TABS[tab];
}

/** The path of an endpoint's address. */
export function pathOf(endpoint: Endpoint): string {
  switch (endpoint.kind) {
    case "all":
      return "/mcp";
    case "member":
      return `/members/${endpoint.member}/mcp`;
    case "profile":
      return `/profiles/${endpoint.profile}/mcp`;
  }
}

/** An endpoint's whole address. Where the gateway does not listen, it is the one that it would have. */
export function addressOf(gateway: GatewayState, endpoint: Endpoint): string {
  const base = gateway.address?.replace(/\/mcp$/, "") ?? `http://127.0.0.1:${gateway.port}`;
  return base + pathOf(endpoint);
}

export function endpointWord(endpoint: Endpoint): string {
  switch (endpoint.kind) {
    case "all":
      return "all members";
    case "member":
      return endpoint.member;
    case "profile":
      return `profile ${endpoint.profile}`;
  }
}

/** How the gateway does. */
export function gatewayFace({ enabled, address, error }: GatewayState): Face {
  if (!enabled) return { shape: "pause", word: "off", colour: "text-faint" };
  if (error !== null) return { shape: "cross", word: "does not listen", colour: "text-bad" };
  if (address === null) return { shape: "dashes", word: "starting", colour: "text-warn" };
  return { shape: "dot", word: "listening", colour: "text-ok" };
}
