/** Icons and texts for the annotation hints of tools, such as `readOnlyHint`. */
import type { ToolHints } from "../ipc/bindings";
import type { SignName } from "./signs";

interface HintMark {
  readonly mark: SignName;
  readonly title: string;
  /** The Tailwind class for the color. */
  readonly colour: string;
}

/** The icons for the hints that a tool has. */
export function hintMarks(hints: ToolHints): readonly HintMark[] {
  const marks: HintMark[] = [];
  if (hints.readOnly === true) marks.push({ mark: "eye", title: "Read-only: the server says it changes nothing", colour: "text-ok" });
  else if (hints.destructive === true) marks.push({ mark: "warning", title: "Destructive: the server says it may destroy something", colour: "text-bad" });
  if (hints.idempotent === true) marks.push({ mark: "repeat", title: "Idempotent: the server says a second identical call changes nothing more", colour: "text-dim" });
  if (hints.openWorld === true) marks.push({ mark: "globe", title: "Open world: the server says it reaches things outside itself", colour: "text-dim" });
  return marks;
}

interface HintWord {
  readonly word: string;
  readonly says: string;
  /** The Tailwind class for the color. */
  readonly colour: string;
}

const HINTS = ["readOnly", "destructive", "idempotent", "openWorld"] as const satisfies readonly (keyof ToolHints)[];

/** For each hint, the texts for `true` and for `false`. */
const WORDS: Record<(typeof HINTS)[number], readonly [HintWord, HintWord]> = {
  readOnly: [
    { word: "read-only", says: "It changes nothing.", colour: "text-ok" },
    { word: "may change things", says: "It is not read-only.", colour: "text-dim" },
  ],
  destructive: [
    { word: "destructive", says: "It may destroy something. You are asked once more before it runs.", colour: "font-semibold text-bad" },
    { word: "not destructive", says: "It only adds.", colour: "text-dim" },
  ],
  idempotent: [
    { word: "idempotent", says: "A second identical call changes nothing more.", colour: "text-dim" },
    { word: "each call counts", says: "A second identical call has its own effect.", colour: "text-dim" },
  ],
  openWorld: [
    { word: "open world", says: "It reaches things outside its server.", colour: "text-dim" },
    { word: "closed world", says: "It reaches nothing outside its server.", colour: "text-dim" },
  ],
};

/** The texts for all hints that a tool has. */
export function hintWords(hints: ToolHints): readonly HintWord[] {
  return HINTS.flatMap((hint) => (hints[hint] === null ? [] : [WORDS[hint][hints[hint] ? 0 : 1]]));
}
