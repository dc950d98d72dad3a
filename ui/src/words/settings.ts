import type { FieldKey } from "../settings/fields";
import { counted, number } from "./format";

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

const choices: Record<string, Record<string, string>> = {
  "window.onClose": { quit: "Ends Guild Hall", tray: "Leaves it in the tray" },
  "gateway.listing": {
    lazy: "lazy: name and first sentence",
    full: "full: everything, with schemas",
    search: "search: four tools to find the others",
  },
  "appearance.theme": {
    system: "As the system",
    light: "Light",
    dark: "Dark",
    "contrast-light": "High contrast, light",
    "contrast-dark": "High contrast, dark",
  },
};

export const words = {
  sections,
  fields,
  choices,

  settings: "Settings",
  settingsLine: "What is set here is saved at once, most of it in one file, which you may edit by hand as well; what takes effect later says so.",
  open: "Settings",
  reading: "the settings",
  filter: "Search the settings",
  none: "No setting has these words.",
  sectionList: "Sections",
  isDefault: "default",
  reset: (title: string) => `Set ${title} back to its default`,
  resetWord: "Reset",
  defaultIs: (value: string) => `Default: ${value}`,
  on: "on",
  off: "off",
  nothing: "none",
  percent: (value: number) => `${number(value)} %`,
  ms: (value: number) => `${number(value)} ms`,
  inOwnFolder: "guild-members in the data folder",
  saved: (title: string) => `${title}: saved.`,
  savedMark: "Saved",
  saving: "Saving…",
  port: "A whole number from 1024 to 19999 or from 30001 to 65535: the ports between are the members'.",
  wholeNumber: (least: number, most: number) => `A whole number from ${number(least)} to ${number(most)}.`,
  browse: "Choose…",
  clear: "None",
  membersNow: (folder: string) => `In use: ${folder}`,

  keysLine: "Press Change and then the keys that an action is to have. They are saved at once.",
  ownKeys: "own keys",
  noKeys: "no keys",
  change: "Change",
  changeKeysOf: (title: string) => `Change the keys of ${title}`,
  removeKeysOf: (title: string) => `Take the keys of ${title} away`,
  remove: "Take away",
  pressKeys: (title: string) => `Press the keys for ${title}; Esc leaves them as they are`,
  pressNow: "Press keys…",
  notAlone: "These keys mean something everywhere. Hold Ctrl or Alt as well, or take an F key.",
  typed: "A single character is taken only while nobody types.",
  conflict: (keys: string, one: string, other: string) => `${keys} is the key of “${one}” and of “${other}”. “${one}” comes first.`,
  conflicts: "Keys that two actions have",
  resetKeys: "Set all keys back",
  resetKeysSaid: "All keys are as they were at first.",
  filterKeys: "Search the actions",
  noAction: "No action has these words.",

  agentsLine: (address: string | null) => (address === null ? "The gateway is closed." : `The gateway listens at ${address}.`),
  gatewayOf: "Profiles, policies and who may call are set on the agents' page.",
  portStarted: (port: number) => `This run was started with port ${String(port)} (\`--gateway-port\`), which comes before the setting.`,
  openAgents: "Open the agents' page",

  safetyLine: "What decides which tools agents get, and how tools are found out, has pages of its own.",
  openPolicies: "Policies",
  openDiscovery: "Discovery of tools",
  openSecrets: "Secrets",
  openDoctor: "Check this machine",
  reviewsAtMembers: "What was accepted of a member stands on its page, under Review.",

  historyKeeps: (calls: string, size: string) => `The history keeps up to ${calls} calls, at most ${size}.`,
  historyHas: (calls: number) => `It has ${counted(calls, { one: "call", other: "calls" })} now.`,
  historyOff: "New calls are not recorded.",
  record: "Record calls",
  recordDoes: "Writes each call with its arguments and result into the history, without secrets. Takes effect at once.",
  openHistory: "Open the history",
  clearHistory: "Clear the history…",
  dataFolder: "Data folder",
  membersFolder: "Members' folder in use",
  nothingSent: "Guild Hall sends nothing about you anywhere. What is asked elsewhere is asked because you set it up: registries, a model, updates, members elsewhere.",
  bundle: "Save a bundle for a bug report…",

  fileLine: "Most of this stands in one file: JSON with comments. What is changed there holds within a second; comments and order stay when something is changed here.",
  filePath: "the path of the settings",
  schemaLine: "An editor that knows settings.schema.json beside it completes and checks the settings.",
  fileFine: "Nothing is wrong with the file.",
  problems: (count: number) => counted(count, { one: "mistake in the file", other: "mistakes in the file" }),
  unknownFields: (count: number) => counted(count, { one: "unknown field in the file", other: "unknown fields in the file" }),
  unknownBesides: (count: number) => `Unknown fields besides, which are kept: ${number(count)}.`,
  brokenTitle: "settings.json can't be read",
  brokenHolds: "What held before it goes on, and nothing is saved here until the file is mended.",
  wrongTitle: (count: number) => `settings.json has ${counted(count, { one: "mistake", other: "mistakes" })}`,
  wrongHolds: "Each has its default meanwhile; everything else holds.",
  wrongWithFolder: "The members' folder has none that holds meanwhile; anything else has its default.",
  line: (line: number, column: number | null) => (column === null ? `line ${line}` : `line ${line}, column ${column}`),
  effect: { unread: "nothing of the file holds", default: "its default holds", kept: "kept, without effect" },
  noDefault: "does not hold",
  showIn: "Show the mistakes",

  exportImport: "Take settings along",
  exportLine: "One file with the settings, the gateway's profiles and policies, discovery, the history's settings and the sources of registries. No token, no secret and no call is in it.",
  exportTo: "Export…",
  exported: (path: string) => `Exported to ${path}.`,
  importFrom: "Import…",
  importing: "What the import would change",
  importNothing: "Nothing would change.",
  importDo: "Import all of it",
  importCancel: "Leave it",
  imported: "Imported.",
  importAll: "All of it is written, or nothing.",
  part: {
    settings: "Settings",
    gateway: "Gateway, profiles and policies",
    discovery: "Discovery of tools",
    history: "The history's settings",
    registries: "Sources of registries",
  },
  adds: (what: string) => `+ ${what}`,
  becomes: (key: string, before: string | null, after: string | null) => `${key}: ${before ?? "nothing"} → ${after ?? "nothing"}`,
  more: (count: number) => `and ${number(count)} more`,
  path: "Path of the file",
};
