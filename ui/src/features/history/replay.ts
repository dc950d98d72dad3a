/** Converts a past call to a draft for its tool's form. */
import type { SchemaSince } from "../../ipc/bindings";
import { ADDED, at, type Draft, updateAt } from "../form/model/draft";
import { draftFromJson } from "../form/model/json";
import { keysOf, placeName } from "../form/model/pointer";
import { number, plural } from "../../lib/format";

/** A note that lists fields with masked secrets and the number of further such fields. */
const notKept = (places: readonly string[], more: number) => {
  const all = more > 0 ? `${places.join(", ")} and ${number(more)} more` : places.join(", ");
  return plural(places.length + more, {
    one: `Enter the value of ${all}. It is a secret, and the history doesn't keep secrets.`,
    other: `Enter the values of ${all}. They are secrets, and the history doesn't keep secrets.`,
  });
};

interface Replay {
  readonly draft: Draft;
  /** Notes that the user should read before running the draft. */
  readonly notes: readonly string[];
}

/** Maximum number of fields that a note lists. */
const NAMED_MAX = 5;

/** Replaces the value at a JSON Pointer by an empty field. The form can't be sent until the user fills the field. */
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

/** The note about fields with masked values; `null` without such fields. `masked` has JSON Pointers. */
export function maskedWords(masked: readonly string[]): string | null {
  if (masked.length === 0) return null;
  return notKept(masked.slice(0, NAMED_MAX).map(placeName), Math.max(0, masked.length - NAMED_MAX));
}

/** Converts a call's arguments to a draft, with an empty field for each masked value. */
export function replayOf(text: string, masked: readonly string[], schema: SchemaSince): Replay {
  const notes: string[] = [];
  const hidden = maskedWords(masked);
  if (hidden !== null) notes.push(hidden);
  if (schema === "changed") notes.push("The tool's arguments have changed since this call. Running it shows the ones that no longer fit.");
  const draft = draftFromJson(text);
  if (draft.kind === "raw") notes.push("The arguments of this call aren't valid JSON. They are unchanged.");
  return { draft: masked.reduce(withGap, draft), notes };
}
