/** What a server says that its tool does and does not do. */
import type { ToolHints } from "../bridge/bindings";
import { chosen } from "./chosen";
import { de } from "./de/hints";
import { en } from "./en/hints";

const words = chosen({ en, de });

interface HintMark {
  readonly mark: string;
  readonly title: string;
  /** A class for its colour. */
  readonly colour: string;
}

/** One sign for each thing that a person should know at a glance. */
export function hintMarks(hints: ToolHints): readonly HintMark[] {
  const marks: HintMark[] = [];
  const { readOnly, destructive, idempotent, openWorld } = words.marks;
  if (hints.readOnly === true) marks.push({ mark: "R", title: readOnly, colour: "text-ok" });
  else if (hints.destructive === true) marks.push({ mark: "!", title: destructive, colour: "text-bad" });
  if (hints.idempotent === true) marks.push({ mark: "↻", title: idempotent, colour: "text-dim" });
  if (hints.openWorld === true) marks.push({ mark: "⇄", title: openWorld, colour: "text-dim" });
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
