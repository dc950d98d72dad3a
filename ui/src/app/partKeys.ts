/** The keys that a part of the window takes while it has the focus; the sheet shows them after the actions. */
import { words } from "../words/actions";
import { keyLabel } from "../words/keys";
import { keysOf, PART_KEYS, type OwnKeys } from "./actionKeys";

/** What sends a form sends an answer too, and lets an agent's call go on. */
const run = Symbol("the keys of running a tool");

interface Part {
  readonly where: string;
  readonly keys: readonly (readonly [string | typeof run, string])[];
}

const PARTS: readonly Part[] = [
  {
    where: words.local.roster.where,
    keys: [
      ["↑ ↓", words.local.roster.row],
      ["→ ←", words.local.roster.branch],
      ["Home End", words.local.roster.ends],
      ["A … Z", words.local.roster.named],
      ["Enter", words.local.roster.open],
    ],
  },
  {
    where: words.local.form.where,
    keys: [
      [PART_KEYS.runFromField, words.local.form.run],
      ["Tab", words.local.form.next],
      [PART_KEYS.fieldActions, words.local.form.actions],
    ],
  },
  {
    where: words.local.history.where,
    keys: [
      ["↑ ↓ Home End", words.local.history.other],
      ["Enter", words.local.history.show],
      ["Space", words.local.history.mark],
      [PART_KEYS.remove, words.local.history.remove],
      [PART_KEYS.rename, words.local.history.rename],
    ],
  },
  {
    where: words.local.question.where,
    keys: [
      [run, words.local.question.send],
      [PART_KEYS.leave, words.local.question.cancel],
    ],
  },
  {
    where: words.local.approval.where,
    keys: [[run, words.local.approval.allow]],
  },
  {
    where: words.local.found.where,
    keys: [
      ["Space", words.local.found.tick],
      ["↑ ↓ Home End", words.local.found.other],
    ],
  },
  {
    where: words.local.tools.where,
    keys: [
      ["↑ ↓ Home End", words.local.tools.row],
      ["Enter", words.local.tools.open],
      ["A S D", words.local.tools.policy],
      ["M", words.local.tools.byRules],
      ["Space", words.local.tools.choose],
      ["Shift+↑ ↓", words.local.tools.several],
      [`${PART_KEYS.chooseAll} ${PART_KEYS.leave}`, words.local.tools.all],
      [PART_KEYS.undo, words.local.tools.undo],
      ["R", words.local.tools.reread],
    ],
  },
  {
    where: words.local.divider.where,
    keys: [
      ["← → ↑ ↓", words.local.divider.move],
      ["Home End", words.local.divider.ends],
      ["Enter", words.local.divider.reset],
    ],
  },
  {
    where: words.local.everywhere.where,
    keys: [[PART_KEYS.leave, words.local.everywhere.close]],
  },
];

interface Line {
  readonly title: string;
  readonly keys: string;
}

/** Where keys count only there, and what they are called. */
export function partKeys(own: OwnKeys): { title: string; lines: Line[] }[] {
  const running = keysOf("run", own);
  return PARTS.map(({ where, keys }) => ({
    title: where,
    lines: keys.flatMap(([written, title]) => {
      const each = written === run ? running : written;
      // Several stand beside one another, such as `Home End`.
      return each === undefined ? [] : [{ title, keys: each.split(" ").map((one) => keyLabel(one)).join(" ") }];
    }),
  }));
}
