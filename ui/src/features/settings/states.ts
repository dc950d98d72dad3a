/** States of the settings for the catalog of UI states. */
import type { Report, SettingsProblem } from "../../ipc/bindings";
import type { MockBridge } from "../../ipc/mock";
import { NEW } from "../../ipc/mock/updates";
import type { SectionName } from "../../lib/navigation/places";
import { press } from "../../testing/acting";
import type { State, Stores } from "../../testing/state";
import { DEFAULTS } from "../../lib/settingsSchema";

function mistake(message: string, hint: string): Report {
  return { code: "settings-unusable", message, hint, member: null };
}

/** A syntax error in the settings file. */
export const BROKEN: SettingsProblem = {
  effect: "unread",
  line: 4,
  column: 3,
  field: null,
  report: mistake("settings.json:4:3: Expected a comma.", "Correct this place; check the text before it too."),
};

/** Two problems in the settings file: an invalid value and an unknown setting. */
export const WRONG: readonly SettingsProblem[] = [
  {
    effect: "default",
    line: 6,
    column: 13,
    field: "appearance.zoom",
    report: mistake("settings.json:6:13: `appearance.zoom` can't be used: 20 is less than the minimum of 50.", "Its default holds."),
  },
  {
    effect: "kept",
    line: 9,
    column: 3,
    field: "memberDir",
    report: mistake("settings.json:9:3: `memberDir` is not a known setting; it has no effect.", "Did you mean `membersDir`?"),
  },
];

const open = (prepare?: (bridge: MockBridge) => void, at?: SectionName) => (stores: Stores, bridge: MockBridge) => {
  prepare?.(bridge);
  stores.navigation.openSettings(at);
};

export const SETTINGS_STATES: readonly State[] = [
  { name: "settings", options: () => ({}), arrive: open(), shows: /When you close the window/, contrast: true },
  {
    name: "settings-loading",
    options: () => ({ withOpening: false, silent: ["settings"] }),
    arrive: open(),
    shows: /Reading the settings/,
  },
  {
    name: "settings-broken",
    options: () => ({}),
    arrive: open((bridge) => bridge.settings.write(DEFAULTS, [BROKEN])),
    shows: /settings\.json can't be read \(line 4, column 3\)/,
    contrast: true,
  },
  {
    name: "settings-wrong",
    options: () => ({}),
    arrive: open((bridge) => bridge.settings.write(DEFAULTS, [...WRONG])),
    shows: /settings\.json has 1 mistake/,
  },
  {
    name: "settings-changed",
    options: () => ({}),
    arrive: open((bridge) => bridge.settings.write({ ...DEFAULTS, window: { ...DEFAULTS.window, onClose: "tray" }, keys: { palette: "Ctrl+J", tools: "" } }), "keys"),
    shows: /is set for/,
  },
  {
    name: "settings-import",
    options: () => ({ picks: "/home/me/guild-hall-settings.json" }),
    arrive: (stores, bridge) => {
      bridge.settings.changes = [
        { key: "appearance.theme", before: '"system"', after: '"dark"' },
        { key: "membersDir", before: null, after: '"/srv/members"' },
      ];
      stores.navigation.openSettings("file");
      press("button", "Import…");
    },
    shows: /Changes/,
  },
  {
    name: "settings-update",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.updates.at({ stage: { kind: "offered", new: NEW } });
      stores.navigation.openSettings("updates");
    },
    shows: /Download 0\.2\.0/,
    contrast: true,
  },
  {
    name: "settings-update-fetching",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.updates.at({ stage: { kind: "fetching", new: NEW, done: 31_000_000, of: 92_000_000 } });
      stores.navigation.openSettings("updates");
    },
    shows: /31\.0 MB of 92\.0 MB/,
    width: 480,
  },
  {
    name: "settings-update-taken-back",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.updates.at({ last: { from: "0.1.0", to: "0.2.0", takenBack: "it ended (exit status: 3)\nno such library", atMs: 1 } });
      stores.navigation.openSettings("updates");
    },
    shows: /The update to 0\.2\.0 didn't start/,
    contrast: true,
  },
  { name: "settings-narrow", options: () => ({}), arrive: open(), shows: /When you close the window/, width: 480 },
];
