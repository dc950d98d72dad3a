/** The shell's system integrations (tray icon, global shortcut and so on), and the pages that they request. */
import type { MemberName, Report, ToolName } from "./bindings";

/** The pages that a `guildhall://` link can open. */
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

/** The target of a link, a notification or the tray. */
export type LinkedPlace =
  | { readonly kind: "member"; readonly member: MemberName }
  | { readonly kind: "review"; readonly member: MemberName }
  | { readonly kind: "question"; readonly member: MemberName }
  | { readonly kind: "tool"; readonly member: MemberName; readonly tool: ToolName }
  | { readonly kind: "page"; readonly page: LinkedPage };

/** A request to show a page, or a report about an invalid link. */
export type Shown =
  | { readonly kind: "place"; readonly place: LinkedPlace }
  /** The link is invalid. */
  | { readonly kind: "refused"; readonly report: Report };

/** An app of a member (MCP Apps), ready to be loaded into a frame. */
export interface OpenedApp {
  /** The address of the app's page, which can be loaded once. */
  readonly address: string;
  /** The origin of the app's messages. */
  readonly origin: string;
  /** The domains that the app may contact. */
  readonly domains: readonly string[];
  /** The permissions that the app requests, such as `camera`. */
  readonly permissions: readonly string[];
}

/** The state of one system integration. */
type Standing =
  | { readonly kind: "off" | "on" | "waiting" }
  /** The integration is enabled in the settings but unavailable on this system. */
  | { readonly kind: "missing"; readonly report: Report };

/** The states of all system integrations; `login` is the start at login. */
export interface Presence {
  readonly tray: Standing;
  readonly shortcut: Standing;
  readonly login: Standing;
  readonly notifications: Standing;
}
