/** The types of the window's pages and of their tabs. */
import type { ElicitationId, MemberName, Settings, ToolName } from "../../ipc/bindings";
import type { Anchor } from "./books";

/** Identifies a resource, a resource template, a prompt or a skill of a member. */
export type Offer =
  | { readonly kind: "resource"; readonly uri: string }
  | { readonly kind: "template"; readonly uriTemplate: string }
  | { readonly kind: "prompt"; readonly prompt: string }
  | { readonly kind: "skill"; readonly uri: string };

/** The tabs of a member's page with resources, prompts and skills. The resources tab also lists the templates. */
export type OfferTab = "resources" | "prompts" | "skills";

export type MemberTab = "tools" | OfferTab | "log" | "configuration" | "review" | "dev";

/** The tabs of the Agents page, in display order. */
export const AGENT_TABS = ["gateway", "connect", "policies", "profiles", "approvals", "traffic"] as const;
export type AgentTab = (typeof AGENT_TABS)[number];

/** The tabs of the History page. */
export type HistoryTab = "calls" | "saved";

/** The tabs of the Add member dialog. */
export type AddingTab = "paste" | "found" | "registry" | "bundle" | "write";

/** The sections of the settings. */
export type SectionName = "general" | keyof Settings | "privacy" | "file";

/** A secret that has no value, and the member that needs it. */
export interface WantedSecret {
  name: string;
  member: MemberName;
}

export type Place =
  | { kind: "welcome" }
  | {
      kind: "member";
      member: MemberName;
      /** The tab to show when the page opens; `null` for the last or default one. */
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
