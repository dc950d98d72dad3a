/** How offers are called on the screen. */
import type { MemberView } from "../../bridge/bindings";
import { words } from "../../words/offers";
import type { Face } from "../../words/status";
import type { Listed } from "./offer";

const SHAPES: Readonly<Record<Listed["kind"], string>> = { resource: "▤", template: "{}", prompt: "❝" };

export function offerFace(kind: Listed["kind"]): Omit<Face, "colour"> {
  return { shape: SHAPES[kind], word: words.kinds[kind] };
}

/** What a reading does before it reaches the member; `null` when the member is up. */
export function beforeReading(view: MemberView): string | null {
  switch (view.status) {
    case "ready":
      return null;
    case "starting":
      return words.waits(view.name);
    case "disabled":
      return words.isDisabled(view.name);
    case "unreviewed":
      return words.isUnreviewed(view.name);
    default:
      return words.startsFirst(view.name);
  }
}
