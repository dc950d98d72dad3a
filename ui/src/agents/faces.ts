/** How what concerns agents is called and looks: always a shape, a colour and a word together. */
import type { Endpoint, GatewayState, Listing, Policy } from "../bridge/bindings";
import { words } from "../words/agents";
import type { Face } from "../words/status";
import type { AgentTab } from "./agents";

const POLICIES: Readonly<Record<Policy, Face>> = {
  allow: { shape: "●", word: words.policies.allow, colour: "text-ok" },
  ask: { shape: "?", word: words.policies.ask, colour: "text-warn" },
  deny: { shape: "✕", word: words.policies.deny, colour: "text-bad" },
};

export const POLICY_ORDER: readonly Policy[] = ["allow", "ask", "deny"];

export function policyFace(policy: Policy): Face {
  return POLICIES[policy];
}

export const LISTINGS: readonly Listing[] = ["lazy", "full", "search"];

export function listingWords(listing: Listing): string {
  return words.listings[listing];
}

export function tabWord(tab: AgentTab): string {
  return words.tabs[tab];
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
  if (!enabled) return { shape: "‖", word: "off", colour: "text-faint" };
  if (error !== null) return { shape: "✕", word: "does not listen", colour: "text-bad" };
  if (address === null) return { shape: "◐", word: "starting", colour: "text-warn" };
  return { shape: "●", word: "listening", colour: "text-ok" };
}
