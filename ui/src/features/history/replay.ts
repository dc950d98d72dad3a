/** Turns a past call into a draft of its tool's form. */
import type { SchemaSince } from "../../ipc/bindings";
import { ADDED, at, type Draft, updateAt } from "../form/model/draft";
import { draftFromJson } from "../form/model/json";
import { keysOf, placeName } from "../form/model/pointer";
import { number, plural } from "../../lib/format";

/** The places of masked secrets in words, with the number of further places. */
const notKept = (places: readonly string[], more: number) => {
  const all = more > 0 ? `${places.join(", ")} and ${number(more)} more` : places.join(", ");
  return plural(places.length + more, {
    one: `Enter the value of ${all}. It is a secret, and the history doesn't keep secrets.`,
    other: `Enter the values of ${all}. They are secrets, and the history doesn't keep secrets.`,
  });
};

interface Replay {
  readonly draft: Draft;
  /** Notes to read before the user runs it. */
  readonly notes: readonly string[];
}

/** Maximum number of places to name. */
const NAMED_MAX = 5;

/** The draft with a gap at a place. The form can't be sent until the user fills the gap. */
function withGap(draft: Draft, pointer: string): Draft {
  const steps: { key: string | number }[] = [];
  let here = draft;
  for (const key of keysOf(pointer)) {
    const step = here.kind === "array" ? { key: Number(key) } : { key };
    steps.push(step);
    here = at(here, [step]);
    if (here.kind === "absent") return draft;
  }
  return updateAt(draft, steps, () => ADDED);
}

/** A note on places with masked values. */
export function maskedWords(masked: readonly string[]): string | null {
  if (masked.length === 0) return null;
  return notKept(masked.slice(0, NAMED_MAX).map(placeName), Math.max(0, masked.length - NAMED_MAX));
}

/** The call's arguments as a draft, with a gap for each value that was masked. */
export function replayOf(text: string, masked: readonly string[], schema: SchemaSince): Replay {
  const notes: string[] = [];
  const hidden = maskedWords(masked);
  if (hidden !== null) notes.push(hidden);
  if (schema === "changed") notes.push("The tool's arguments have changed since this call. Running it shows the ones that no longer fit.");
  const draft = draftFromJson(text);
  if (draft.kind === "raw") notes.push("The arguments of this call aren't valid JSON. They are unchanged.");
  return { draft: masked.reduce(withGap, draft), notes };
}
