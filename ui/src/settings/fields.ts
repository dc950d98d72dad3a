/** What can be set, in the order in which the page shows it. */
import type { Settings } from "../bridge/bindings";
import type { SectionName } from "../words/settings";

/** How a setting is changed on the page. */
type Control =
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly words: readonly string[] }
  | { readonly kind: "number"; readonly least: number; readonly most: number; readonly unit: "percent" | "ms" }
  | { readonly kind: "port" }
  | { readonly kind: "text"; readonly picks?: "folder" }
  | { readonly kind: "keys" };

export interface Field {
  /** As in the file. */
  readonly key: FieldKey;
  readonly section: SectionName;
  readonly control: Control;
}

/** A day. */
const LIMIT_MAX = 86_400_000;
const FLAG = { kind: "flag" } as const;
const LIMIT = { kind: "number", least: 1, most: LIMIT_MAX, unit: "ms" } as const;

export const FIELDS = [
  { key: "membersDir", section: "general", control: { kind: "text", picks: "folder" } },
  { key: "window.onClose", section: "window", control: { kind: "choice", words: ["quit", "tray"] } },
  { key: "window.tray", section: "window", control: FLAG },
  { key: "window.startAtLogin", section: "window", control: FLAG },
  { key: "window.startHidden", section: "window", control: FLAG },
  { key: "shortcut.palette", section: "window", control: { kind: "keys" } },
  { key: "notifications.crashLoop", section: "notifications", control: FLAG },
  { key: "notifications.approval", section: "notifications", control: FLAG },
  { key: "notifications.changedTools", section: "notifications", control: FLAG },
  {
    key: "appearance.theme",
    section: "appearance",
    control: { kind: "choice", words: ["system", "light", "dark", "contrast-light", "contrast-dark"] },
  },
  { key: "appearance.zoom", section: "appearance", control: { kind: "number", least: 50, most: 300, unit: "percent" } },
  { key: "gateway.port", section: "agents", control: { kind: "port" } },
  { key: "gateway.listing", section: "agents", control: { kind: "choice", words: ["lazy", "full", "search"] } },
  { key: "limits.startMs", section: "limits", control: LIMIT },
  { key: "limits.handshakeMs", section: "limits", control: LIMIT },
  { key: "limits.callMs", section: "limits", control: LIMIT },
  { key: "limits.discoveryMs", section: "limits", control: LIMIT },
  { key: "updates.check", section: "updates", control: FLAG },
  { key: "updates.address", section: "updates", control: { kind: "text" } },
  { key: "updates.key", section: "updates", control: { kind: "text" } },
] as const satisfies readonly { key: string; section: SectionName; control: Control }[];

/** A setting's name, as in the file. */
export type FieldKey =
  | "membersDir"
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
