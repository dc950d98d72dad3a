/** The state of the shell's parts outside the page, and the places that they ask the page to show. */
import type { MemberName, Report, ToolName } from "./bindings";

/** The pages that can be linked to. */
export type LinkedPage =
  | "adding"
  | "agents"
  | "approvals"
  | "discovery"
  | "doctor"
  | "found"
  | "history"
  | "palette"
  | "secrets"
  | "settings";

/** A place that a link, a notification or the tray leads to. */
export type LinkedPlace =
  | { readonly kind: "member"; readonly member: MemberName }
  | { readonly kind: "review"; readonly member: MemberName }
  | { readonly kind: "question"; readonly member: MemberName }
  | { readonly kind: "tool"; readonly member: MemberName; readonly tool: ToolName }
  | { readonly kind: "page"; readonly page: LinkedPage };

/** A place to show. */
export type Shown =
  | { readonly kind: "place"; readonly place: LinkedPlace }
  /** A link leads nowhere. */
  | { readonly kind: "refused"; readonly report: Report };

/** The state of one part outside the page. */
type Standing =
  | { readonly kind: "off" | "on" | "waiting" }
  /** The settings ask for it, and it can't be had. */
  | { readonly kind: "missing"; readonly report: Report };

/** The state of all parts outside the page. */
export interface Presence {
  readonly tray: Standing;
  readonly shortcut: Standing;
  readonly login: Standing;
  readonly notifications: Standing;
}
