/** A call of the past as a draft of its tool's form. */
import type { SchemaSince } from "../bridge/bindings";
import { ADDED, at, type Draft, updateAt } from "../form/model/draft";
import { draftFromJson } from "../form/model/json";
import { keysOf, placeName } from "../form/model/pointer";
import { number, plural } from "../words/format";

/** The secrets at these places, and at so many more, were not kept. */
const notKept = (places: readonly string[], more: number) => {
  const all = more > 0 ? `${places.join(", ")} and ${number(more)} more` : places.join(", ");
  return plural(places.length + more, {
    one: `The value of ${all} is a secret, so it was not kept: type it in.`,
    other: `The values of ${all} are secrets, so they were not kept: type them in.`,
  });
};

interface Replay {
  readonly draft: Draft;
  /** What has to be known before it is run, in words. */
  readonly notes: readonly string[];
}

/** Maximum number of places named; a call can have had a great many secrets. */
const NAMED_MAX = 5;

/**
 * The draft with a gap at the place: there is a value to be typed, and until then nothing can be
 * sent. A place that is not there stays so.
 */
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

/** What is said of places whose values were masked. */
export function maskedWords(masked: readonly string[]): string | null {
  if (masked.length === 0) return null;
  return notKept(masked.slice(0, NAMED_MAX).map(placeName), Math.max(0, masked.length - NAMED_MAX));
}

/** The call's arguments as a draft, with a gap for each value that was masked. */
export function replayOf(text: string, masked: readonly string[], schema: SchemaSince): Replay {
  const notes: string[] = [];
  const hidden = maskedWords(masked);
  if (hidden !== null) notes.push(hidden);
  if (schema === "changed") notes.push("The tool's arguments have changed since that call; what no longer fits is told when you run it.");
  const draft = draftFromJson(text);
  if (draft.kind === "raw") notes.push("The arguments of that call were no JSON; they are as they were sent.");
  return { draft: masked.reduce(withGap, draft), notes };
}
