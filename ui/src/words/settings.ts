import type { FieldKey } from "../settings/fields";

/** In the order in which the page shows them. */
export const SECTIONS = [
  "general",
  "window",
  "notifications",
  "appearance",
  "keys",
  "agents",
  "limits",
  "safety",
  "privacy",
  "updates",
  "file",
] as const;
export type SectionName = (typeof SECTIONS)[number];

const sections: Record<SectionName, string> = {
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
};

interface Words {
  readonly title: string;
  /** What it does and when a change takes effect, a sentence each. */
  readonly does: string;
}

const fields: Record<FieldKey, Words> = {
  membersDir: {
    title: "Members' folder",
    does: "The folder that members are looked for in; from the data folder where it is no whole path. Takes effect at the next start of Guild Hall.",
  },
  "window.onClose": { title: "Closing the window", does: "Ends Guild Hall with its members, or leaves both at work in the tray. Takes effect at once." },
  "window.tray": { title: "Icon in the tray", does: "Shows the state of the hall in the system's tray. Takes effect at once." },
  "window.startAtLogin": { title: "Start at login", does: "Starts Guild Hall when you log in. Takes effect at your next login." },
  "window.startHidden": {
    title: "Start without the window",
    does: "When it starts at login, the window stays closed and the tray has the icon. Takes effect at your next login.",
  },
  "shortcut.palette": { title: "Palette from anywhere", does: "Keys that open the palette while another program has the keyboard. Takes effect at once." },
  "notifications.crashLoop": { title: "Crash loops", does: "Notifies of a member that crashed again and again. Takes effect at once." },
  "notifications.approval": { title: "Approvals", does: "Notifies of an agent's call that waits for you. Takes effect at once." },
  "notifications.changedTools": { title: "Changed tools", does: "Notifies when a member's tools are not what you accepted. Takes effect at once." },
  "appearance.theme": { title: "Theme", does: "The colours of the window. Takes effect at once." },
  "appearance.zoom": { title: "Zoom", does: "How large everything is drawn, in percent. Takes effect at once." },
  "gateway.port": {
    title: "Port of the gateway",
    does: "Where agents connect: 1024 to 19999 or 30001 to 65535. Agents that were connected by the former port have to be connected anew. Takes effect at once; if the port is taken, the gateway stays where it is.",
  },
  "gateway.listing": {
    title: "How tools are listed",
    does: "What a client or profile gets that asks for nothing else. Takes effect at once.",
  },
  "limits.startMs": {
    title: "Start",
    does: "How long a member may take to start, in milliseconds, where its manifest says nothing. Takes effect at each member's next start.",
  },
  "limits.handshakeMs": {
    title: "Handshake",
    does: "How long the handshake may take once the member's port answers, in milliseconds. Takes effect at each member's next start.",
  },
  "limits.callMs": { title: "Call", does: "How long a call may take, in milliseconds. Takes effect at the next call." },
  "limits.discoveryMs": {
    title: "Listing tools",
    does: "How long listing a member's tools may take, in milliseconds. Takes effect when tools are listed next.",
  },
  "updates.check": { title: "Look for newer versions by itself", does: "An AppImage asks the address below once a day whether there is a newer version; other packages are replaced by what installed them. Nothing is fetched or installed without you. Takes effect at once." },
  "updates.address": { title: "Address of newer versions", does: "Where an AppImage is told of newer versions; empty for where it says itself. Takes effect at once." },
  "updates.key": { title: "Their public key", does: "A newer version of an AppImage is used only if it is signed by this key; empty for its own. Takes effect at once." },
};

export const words = {
  sections,
  fields,

  keysLine: "Press Change and then the keys that an action is to have. They are saved at once.",

  gatewayOf: "Profiles, policies and who may call are set on the agents' page.",

  bundle: "Save a bundle for a bug report…",

  fileLine: "Most of this stands in one file: JSON with comments. What is changed there holds within a second; comments and order stay when something is changed here.",
  line: (line: number, column: number | null) => (column === null ? `line ${line}` : `line ${line}, column ${column}`),
};
