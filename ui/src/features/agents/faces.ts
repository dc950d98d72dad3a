/** Labels, icons and colors of the Agents page, and the URLs of endpoints. */
import type { Endpoint, GatewayState, Listing, Policy } from "../../ipc/bindings";
import { decimal, number } from "../../lib/format";
import type { Face } from "../../components/status";
import type { AgentTab } from "../../lib/navigation/places";

export const TAB_TITLES: Record<AgentTab, string> = {
  gateway: "Overview",
  policies: "Permissions",
  profiles: "Profiles",
  approvals: "Approvals",
  traffic: "Activity",
  connect: "Connect",
};

export const LISTING_WORDS: Record<Listing, string> = {
  lazy: "Names and summaries, details on request",
  full: "Every tool with its full schema",
  search: "Four tools that find and call the rest (fewest tokens)",
};

export const POLICY_FACES: Readonly<Record<Policy, Face>> = {
  allow: { shape: "dot", word: "Allow", colour: "text-ok" },
  ask: { shape: "question", word: "Ask", colour: "text-warn" },
  deny: { shape: "cross", word: "Deny", colour: "text-bad" },
};

export const POLICY_ORDER: readonly Policy[] = ["allow", "ask", "deny"];

export const LISTINGS: readonly Listing[] = ["lazy", "full", "search"];

/** The labels of the listing modes in selects and tables. */
export const LISTING_NAMES: Readonly<Record<Listing, string>> = { lazy: "Compact", full: "Full", search: "Search" };

/** The path of an endpoint's URL. */
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

/** An endpoint's full URL. While the gateway is not listening, the URL has the configured port. */
export function addressOf(gateway: GatewayState, endpoint: Endpoint): string {
  const base = gateway.address?.replace(/\/mcp$/, "") ?? `http://127.0.0.1:${gateway.port}`;
  return base + pathOf(endpoint);
}

export function endpointWord(endpoint: Endpoint): string {
  switch (endpoint.kind) {
    case "all":
      return "All members";
    case "member":
      return endpoint.member;
    case "profile":
      return `Profile ${endpoint.profile}`;
  }
}

/** A number of tokens as text, such as `840` or `2.2k`. */
export function tokenWord(tokens: number): string {
  return tokens < 1_000 ? number(tokens) : `${decimal(tokens / 1_000, 1)}k`;
}

/** The icon, label and color of the gateway's state. */
export function gatewayFace({ enabled, address, error }: GatewayState): Face {
  if (!enabled) return { shape: "pause", word: "Off", colour: "text-faint" };
  if (error !== null) return { shape: "cross", word: "Not running", colour: "text-bad" };
  if (address === null) return { shape: "dashes", word: "Starting", colour: "text-warn" };
  return { shape: "dot", word: "Running", colour: "text-ok" };
}
