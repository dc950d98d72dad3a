/** What a server says that its tool does and does not do. */
import type { ToolHints } from "../ipc/bindings";
import type { SignName } from "./signs";

/** What a server says of a tool, as a word and what it means. */
const words = {
  readOnly: { word: "read-only", says: "It changes nothing." },
  notReadOnly: { word: "may change things", says: "It is not read-only." },
  destructive: { word: "destructive", says: "It may destroy something. You are asked once more before it runs." },
  notDestructive: { word: "not destructive", says: "It only adds." },
  idempotent: { word: "idempotent", says: "A second identical call changes nothing more." },
  notIdempotent: { word: "each call counts", says: "A second identical call has its own effect." },
  openWorld: { word: "open world", says: "It reaches things outside its server." },
  notOpenWorld: { word: "closed world", says: "It reaches nothing outside its server." },
};

interface HintMark {
  readonly mark: SignName;
  readonly title: string;
  /** A class for its colour. */
  readonly colour: string;
}

/** One sign for each thing that a person should know at a glance. */
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
  /** A class for its colour. */
  readonly colour: string;
}

/** All of it in words. */
export function hintWords({ readOnly, destructive, idempotent, openWorld }: ToolHints): readonly HintWord[] {
  const dim = "text-dim";
  const said: (HintWord | null)[] = [
    readOnly === null ? null : readOnly ? { ...words.readOnly, colour: "text-ok" } : { ...words.notReadOnly, colour: dim },
    destructive === null
      ? null
      : destructive
        ? { ...words.destructive, colour: "font-semibold text-bad" }
        : { ...words.notDestructive, colour: dim },
    idempotent === null ? null : { ...(idempotent ? words.idempotent : words.notIdempotent), colour: dim },
    openWorld === null ? null : { ...(openWorld ? words.openWorld : words.notOpenWorld), colour: dim },
  ];
  return said.filter((one) => one !== null);
}
