/** The keys of single parts of the window. The Keyboard shortcuts dialog lists them after the actions. */
import { keyLabel } from "../lib/keys/keyLabel";
import { keysOf, PART_KEYS, type OwnKeys } from "../lib/keys/actionKeys";

/** A placeholder for the user's shortcut of the action `run`, which also sends answers and approves agents' calls. */
const run = Symbol("the keys of running a tool");

interface Part {
  readonly title: string;
  /** The keys and their effects. One entry can contain several keys, separated by spaces, such as `Home End`. */
  readonly keys: readonly (readonly [string | typeof run, string])[];
}

const PARTS: readonly Part[] = [
  {
    title: "In the roster",
    keys: [
      ["↑ ↓", "Go to the row above or below"],
      ["→ ←", "Open or close a member, go to its first tool or back to it"],
      ["Home End", "Go to the first or the last row"],
      ["A … Z", "Jump to the next match as you type"],
      ["Enter", "Open what the cursor is on"],
    ],
  },
  {
    title: "In a form",
    keys: [
      [PART_KEYS.runFromField, "Run, from a field of one line"],
      ["Tab", "Go to the next field"],
      [PART_KEYS.fieldActions, "Go to the buttons beside a field, then arrows; Esc leads back"],
    ],
  },
  {
    title: "In the history",
    keys: [
      ["↑ ↓ Home End", "Go to another call"],
      ["Enter", "Open the call"],
      ["Space", "Select the call"],
      [PART_KEYS.remove, "Delete the call, or the saved call"],
      [PART_KEYS.rename, "Rename the saved call"],
    ],
  },
  {
    title: "In a question of a server",
    keys: [
      [run, "Check and send the values"],
      [PART_KEYS.leave, "Cancel (asks first if you typed something)"],
    ],
  },
  { title: "In an agent's call", keys: [[run, "Check the arguments and allow the call once"]] },
  {
    title: "In the servers of other apps",
    keys: [
      ["Space", "Select or deselect the server"],
      ["↑ ↓ Home End", "Go to another server"],
    ],
  },
  {
    title: "In a table of tools",
    keys: [
      ["↑ ↓ Home End", "Go to another row"],
      ["Enter", "Open the tool (in a profile: edit its override)"],
      ["A S D", "Allow, ask first, deny"],
      ["M", "Reset to inherited"],
      ["Space", "Select the tool (in a profile: include or exclude it)"],
      ["Shift+↑ ↓", "Select several"],
      [`${PART_KEYS.chooseAll} ${PART_KEYS.leave}`, "Select all shown, or none"],
      [PART_KEYS.undo, "Undo the last permission change"],
      ["R", "Refresh this member's tools"],
    ],
  },
  { title: "In a result", keys: [[PART_KEYS.find, "Find"]] },
  {
    title: "On a divider",
    keys: [
      ["← → ↑ ↓", "Move it"],
      ["Home End", "Smallest or largest size"],
      ["Enter", "Reset size"],
    ],
  },
  { title: "Everywhere", keys: [[PART_KEYS.leave, "Close the topmost panel"]] },
];

/** The shortcuts of one part of the window, or of one group of actions. */
export interface ShortcutGroup {
  readonly title: string;
  readonly lines: readonly { readonly title: string; readonly keys: readonly string[] }[];
}

/** The keys of each part of the window, with their labels for the user's platform. */
export function partKeys(own: OwnKeys): ShortcutGroup[] {
  const running = keysOf("run", own);
  return PARTS.map(({ title: part, keys }) => ({
    title: part,
    lines: keys.flatMap(([written, title]) => {
      const each = written === run ? running : written;
      return each === undefined ? [] : [{ title, keys: [each.split(" ").map((one) => keyLabel(one)).join(" ")] }];
    }),
  }));
}
