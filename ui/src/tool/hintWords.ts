import type { ToolHints } from "../bridge/bindings";

export interface HintWord {
  readonly word: string;
  readonly says: string;
  /** A class for its colour. */
  readonly colour: string;
}

/** What the server says that its tool does and does not do, in words. */
export function hintWords(hints: ToolHints): readonly HintWord[] {
  const { readOnly, destructive, idempotent, openWorld } = hints;
  const words: (HintWord | null)[] = [
    readOnly === null ? null : readOnly ? word("read-only", "It changes nothing.", "text-ok") : word("may change things", "It is not read-only.", "text-dim"),
    destructive === null
      ? null
      : destructive
        ? word("destructive", "It may destroy something. You are asked once more before it runs.", "font-semibold text-bad")
        : word("not destructive", "It only adds.", "text-dim"),
    idempotent === null
      ? null
      : idempotent
        ? word("idempotent", "A second identical call changes nothing more.", "text-dim")
        : word("each call counts", "A second identical call has its own effect.", "text-dim"),
    openWorld === null
      ? null
      : openWorld
        ? word("open world", "It reaches things outside its server.", "text-dim")
        : word("closed world", "It reaches nothing outside its server.", "text-dim"),
  ];
  return words.filter((one) => one !== null);
}

function word(text: string, says: string, colour: string): HintWord {
  return { word: text, says, colour };
}
