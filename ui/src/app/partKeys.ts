/** The keys of single parts of the window. The Keyboard shortcuts dialog lists them after the actions. */
import { keyLabel } from "../lib/keys/keyLabel";
import { keysOf, PART_KEYS, type OwnKeys } from "../lib/keys/actionKeys";

/** The texts about each part of the window: its label (`where`) and the effects of its keys. */
const LOCAL = {
  roster: {
    where: "In the roster",
    row: "Go to the row above or below",
    branch: "Open or close a member, go to its first tool or back to it",
    ends: "Go to the first or the last row",
    named: "Jump to the next match as you type",
    open: "Open what the cursor is on",
  },
  form: {
    where: "In a form",
    run: "Run, from a field of one line",
    next: "Go to the next field",
    actions: "Go to the buttons beside a field, then arrows; Esc leads back",
  },
  history: {
    where: "In the history",
    other: "Go to another call",
    show: "Open the call",
    mark: "Select the call",
    remove: "Delete the call, or the saved call",
    rename: "Rename the saved call",
  },
  question: {
    where: "In a question of a server",
    send: "Check and send the values",
    cancel: "Cancel (asks first if you typed something)",
  },
  approval: {
    where: "In an agent's call",
    allow: "Check the arguments and allow the call once",
  },
  found: {
    where: "In the servers of other apps",
    tick: "Select or deselect the server",
    other: "Go to another server",
  },
  tools: {
    where: "In a table of tools",
    row: "Go to another row",
    open: "Open the tool (in a profile: edit its override)",
    policy: "Allow, ask first, deny",
    byRules: "Reset to inherited",
    choose: "Select the tool (in a profile: include or exclude it)",
    several: "Select several",
    all: "Select all shown, or none",
    undo: "Undo the last permission change",
    reread: "Refresh this member's tools",
  },
  result: {
    where: "In a result",
    find: "Find",
  },
  divider: {
    where: "On a divider",
    move: "Move it",
    ends: "Smallest or largest size",
    reset: "Reset size",
  },
  everywhere: {
    where: "Everywhere",
    close: "Close the topmost panel",
  },
};

/** A placeholder for the customizable shortcut of `run`, which also sends answers and approves agents' calls. */
const run = Symbol("the keys of running a tool");

interface Part {
  readonly where: string;
  readonly keys: readonly (readonly [string | typeof run, string])[];
}

const PARTS: readonly Part[] = [
  {
    where: LOCAL.roster.where,
    keys: [
      ["↑ ↓", LOCAL.roster.row],
      ["→ ←", LOCAL.roster.branch],
      ["Home End", LOCAL.roster.ends],
      ["A … Z", LOCAL.roster.named],
      ["Enter", LOCAL.roster.open],
    ],
  },
  {
    where: LOCAL.form.where,
    keys: [
      [PART_KEYS.runFromField, LOCAL.form.run],
      ["Tab", LOCAL.form.next],
      [PART_KEYS.fieldActions, LOCAL.form.actions],
    ],
  },
  {
    where: LOCAL.history.where,
    keys: [
      ["↑ ↓ Home End", LOCAL.history.other],
      ["Enter", LOCAL.history.show],
      ["Space", LOCAL.history.mark],
      [PART_KEYS.remove, LOCAL.history.remove],
      [PART_KEYS.rename, LOCAL.history.rename],
    ],
  },
  {
    where: LOCAL.question.where,
    keys: [
      [run, LOCAL.question.send],
      [PART_KEYS.leave, LOCAL.question.cancel],
    ],
  },
  {
    where: LOCAL.approval.where,
    keys: [[run, LOCAL.approval.allow]],
  },
  {
    where: LOCAL.found.where,
    keys: [
      ["Space", LOCAL.found.tick],
      ["↑ ↓ Home End", LOCAL.found.other],
    ],
  },
  {
    where: LOCAL.tools.where,
    keys: [
      ["↑ ↓ Home End", LOCAL.tools.row],
      ["Enter", LOCAL.tools.open],
      ["A S D", LOCAL.tools.policy],
      ["M", LOCAL.tools.byRules],
      ["Space", LOCAL.tools.choose],
      ["Shift+↑ ↓", LOCAL.tools.several],
      [`${PART_KEYS.chooseAll} ${PART_KEYS.leave}`, LOCAL.tools.all],
      [PART_KEYS.undo, LOCAL.tools.undo],
      ["R", LOCAL.tools.reread],
    ],
  },
  {
    where: LOCAL.result.where,
    keys: [[PART_KEYS.find, LOCAL.result.find]],
  },
  {
    where: LOCAL.divider.where,
    keys: [
      ["← → ↑ ↓", LOCAL.divider.move],
      ["Home End", LOCAL.divider.ends],
      ["Enter", LOCAL.divider.reset],
    ],
  },
  {
    where: LOCAL.everywhere.where,
    keys: [[PART_KEYS.leave, LOCAL.everywhere.close]],
  },
];

interface Line {
  readonly title: string;
  readonly keys: string;
}

/** The keys of each part of the window, with their labels for the user's platform. */
export function partKeys(own: OwnKeys): { title: string; lines: Line[] }[] {
  const running = keysOf("run", own);
  return PARTS.map(({ where, keys }) => ({
    title: where,
    lines: keys.flatMap(([written, title]) => {
      const each = written === run ? running : written;
      // A line can contain several keys, separated by spaces, such as `Home End`.
      return each === undefined ? [] : [{ title, keys: each.split(" ").map((one) => keyLabel(one)).join(" ") }];
    }),
  }));
}
