/** What can be set, in the order in which the page shows it. */
import type { Settings } from "../bridge/bindings";

export const SECTION_TITLES = {
  general: "General",
  window: "Start-up and window",
  notifications: "Notifications",
  appearance: "Appearance",
  keys: "Keys",
  agents: "Agents and the gateway",
  limits: "Time limits",
  safety: "Safety and discovery",
  privacy: "Privacy and data",
  updates: "Updates",
  file: "The file",
} as const;
export type SectionName = keyof typeof SECTION_TITLES;
/** In the order in which the page shows them. */
export const SECTIONS = Object.keys(SECTION_TITLES) as readonly SectionName[];

/** How a setting is changed on the page. */
type Control =
  | { readonly kind: "flag" }
  /** The values that can be chosen, with their words. */
  | { readonly kind: "choice"; readonly choices: Readonly<Record<string, string>> }
  | { readonly kind: "number"; readonly least: number; readonly most: number; readonly unit: "percent" | "ms" }
  | { readonly kind: "port" }
  | { readonly kind: "text"; readonly picks?: "folder" | "file" }
  | { readonly kind: "keys" };

export interface Field {
  /** As in the file. */
  readonly key: FieldKey;
  readonly section: SectionName;
  readonly control: Control;
  readonly title: string;
  /** What it does and when a change takes effect, a sentence each. */
  readonly does: string;
}

/** A day. */
const LIMIT_MAX = 86_400_000;
const FLAG = { kind: "flag" } as const;
const LIMIT = { kind: "number", least: 1, most: LIMIT_MAX, unit: "ms" } as const;

const DECLARED: Record<FieldKey, Omit<Field, "key">> = {
  membersDir: {
    section: "general",
    control: { kind: "text", picks: "folder" },
    title: "Members' folder",
    does: "The folder that members are looked for in; from the data folder where it is no whole path. Takes effect at the next start of Guild Hall.",
  },
  registry: {
    section: "general",
    control: { kind: "text", picks: "file" },
    title: "MCP registry",
    does: "The registry to search for servers: an address, or the whole path of a file in the registry's format; empty for the official one. Takes effect at once.",
  },
  "window.onClose": {
    section: "window",
    control: { kind: "choice", choices: { quit: "Ends Guild Hall", tray: "Leaves it in the tray" } },
    title: "Closing the window",
    does: "Ends Guild Hall with its members, or leaves both at work in the tray. Takes effect at once.",
  },
  "window.tray": {
    section: "window",
    control: FLAG,
    title: "Icon in the tray",
    does: "Shows the state of the hall in the system's tray. Takes effect at once.",
  },
  "window.startAtLogin": {
    section: "window",
    control: FLAG,
    title: "Start at login",
    does: "Starts Guild Hall when you log in. Takes effect at your next login.",
  },
  "window.startHidden": {
    section: "window",
    control: FLAG,
    title: "Start without the window",
    does: "When it starts at login, the window stays closed and the tray has the icon. Takes effect at your next login.",
  },
  "shortcut.palette": {
    section: "window",
    control: { kind: "keys" },
    title: "Palette from anywhere",
    does: "Keys that open the palette while another program has the keyboard. Takes effect at once.",
  },
  "notifications.crashLoop": {
    section: "notifications",
    control: FLAG,
    title: "Crash loops",
    does: "Notifies of a member that crashed again and again. Takes effect at once.",
  },
  "notifications.approval": {
    section: "notifications",
    control: FLAG,
    title: "Approvals",
    does: "Notifies of an agent's call that waits for you. Takes effect at once.",
  },
  "notifications.changedTools": {
    section: "notifications",
    control: FLAG,
    title: "Changed tools",
    does: "Notifies when a member's tools are not what you accepted. Takes effect at once.",
  },
  "appearance.theme": {
    section: "appearance",
    control: {
      kind: "choice",
      choices: { system: "As the system", light: "Light", dark: "Dark", "contrast-light": "High contrast, light", "contrast-dark": "High contrast, dark" },
    },
    title: "Theme",
    does: "The colours of the window. Takes effect at once.",
  },
  "appearance.zoom": {
    section: "appearance",
    control: { kind: "number", least: 50, most: 300, unit: "percent" },
    title: "Zoom",
    does: "How large everything is drawn, in percent. Takes effect at once.",
  },
  "gateway.port": {
    section: "agents",
    control: { kind: "port" },
    title: "Port of the gateway",
    does: "Where agents connect: 1024 to 19999 or 30001 to 65535. Agents that were connected by the former port have to be connected anew. Takes effect at once; if the port is taken, the gateway stays where it is.",
  },
  "gateway.listing": {
    section: "agents",
    control: {
      kind: "choice",
      choices: { lazy: "lazy: name and first sentence", full: "full: everything, with schemas", search: "search: four tools to find the others" },
    },
    title: "How tools are listed",
    does: "What a client or profile gets that asks for nothing else. Takes effect at once.",
  },
  "limits.startMs": {
    section: "limits",
    control: LIMIT,
    title: "Start",
    does: "How long a member may take to start, in milliseconds, where its manifest says nothing. Takes effect at each member's next start.",
  },
  "limits.handshakeMs": {
    section: "limits",
    control: LIMIT,
    title: "Handshake",
    does: "How long the handshake may take once the member's port answers, in milliseconds. Takes effect at each member's next start.",
  },
  "limits.callMs": {
    section: "limits",
    control: LIMIT,
    title: "Call",
    does: "How long a call may take, in milliseconds. Takes effect at the next call.",
  },
  "limits.discoveryMs": {
    section: "limits",
    control: LIMIT,
    title: "Listing tools",
    does: "How long listing a member's tools may take, in milliseconds. Takes effect when tools are listed next.",
  },
  "updates.check": {
    section: "updates",
    control: FLAG,
    title: "Look for newer versions by itself",
    does: "An AppImage asks the address below once a day whether there is a newer version; other packages are replaced by what installed them. Nothing is fetched or installed without you. Takes effect at once.",
  },
  "updates.address": {
    section: "updates",
    control: { kind: "text" },
    title: "Address of newer versions",
    does: "Where an AppImage is told of newer versions; empty for where it says itself. Takes effect at once.",
  },
  "updates.key": {
    section: "updates",
    control: { kind: "text" },
    title: "Their public key",
    does: "A newer version of an AppImage is used only if it is signed by this key; empty for its own. Takes effect at once.",
  },
};

export const FIELDS: readonly Field[] = Object.entries(DECLARED).map(([key, field]) => ({ key: key as FieldKey, ...field }));

/** A setting's name, as in the file. */
export type FieldKey =
  | "membersDir"
  | "registry"
  | `window.${keyof Settings["window"]}`
  | `shortcut.${keyof Settings["shortcut"]}`
  | `notifications.${keyof Settings["notifications"]}`
  | `appearance.${keyof Settings["appearance"]}`
  | `gateway.${keyof Settings["gateway"]}`
  | `limits.${keyof Settings["limits"]}`
  | `updates.${keyof Settings["updates"]}`;

/** What a setting is; the settings have plain values only. */
export type SettingValue = string | number | boolean | null;

/** The value of a setting. */
export function valueOf(settings: Settings, key: FieldKey): SettingValue {
  let here: unknown = settings;
  for (const name of key.split(".")) {
    here = typeof here === "object" && here !== null ? (here as Record<string, unknown>)[name] : undefined;
  }
  return typeof here === "string" || typeof here === "number" || typeof here === "boolean" ? here : null;
}
