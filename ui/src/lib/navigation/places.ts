/** The places that the window can show, and the tabs of their pages. */
import type { ElicitationId, MemberName, Settings, ToolName } from "../../ipc/bindings";
import type { Anchor } from "./books";

/** Names one offer of a member. */
export type Offer =
  | { readonly kind: "resource"; readonly uri: string }
  | { readonly kind: "template"; readonly uriTemplate: string }
  | { readonly kind: "prompt"; readonly prompt: string };

/** The lists of offers on a member's page. The list of resources contains the templates. */
export type OfferTab = "resources" | "prompts";

/** The tabs of a member's page. */
export type MemberTab = "tools" | OfferTab | "log" | "configuration" | "review" | "dev";

/** The tabs of the Agents page, in their order. */
export const AGENT_TABS = ["gateway", "connect", "policies", "profiles", "approvals", "traffic"] as const;
export type AgentTab = (typeof AGENT_TABS)[number];

/** The tabs of the History page. */
export type HistoryTab = "calls" | "saved";

/** The tabs of the Add member dialog. */
export type AddingTab = "paste" | "found" | "registry" | "bundle" | "write";

/** The sections of the settings. */
export type SectionName = "general" | keyof Settings | "privacy" | "file";

/** A secret without a value, and the member that needs it. */
export interface WantedSecret {
  name: string;
  member: MemberName;
}

export type Place =
  | { kind: "welcome" }
  | {
      kind: "member";
      member: MemberName;
      /** The tab to show first, if one was requested. */
      first: MemberTab | null;
    }
  | { kind: "tool"; member: MemberName; tool: ToolName }
  | { kind: "offer"; member: MemberName; offer: Offer }
  | { kind: "question"; member: MemberName; id: ElicitationId }
  | { kind: "agents"; tab: AgentTab }
  | { kind: "history"; tab: HistoryTab }
  | { kind: "doctor" }
  | { kind: "discovery" }
  | { kind: "secrets"; wanted: WantedSecret | null }
  | { kind: "settings"; at?: SectionName }
  | { kind: "help"; at: Anchor };

/** The member that a page belongs to; `null` for other pages. */
export function memberOf(place: Place): MemberName | null {
  return "member" in place ? place.member : null;
}
