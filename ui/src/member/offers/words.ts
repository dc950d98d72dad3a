/** How offers are called on the screen. */
import type { MemberView } from "../../bridge/bindings";
import type { Listed, OfferTab } from "./offer";

interface Face {
  readonly shape: string;
  readonly word: string;
}

const FACES: Readonly<Record<Listed["kind"], Face>> = {
  resource: { shape: "▤", word: "resource" },
  template: { shape: "{}", word: "template" },
  prompt: { shape: "❝", word: "prompt" },
};

export function offerFace(kind: Listed["kind"]): Face {
  return FACES[kind];
}

export const TAB_WORDS: Readonly<Record<OfferTab, string>> = { resources: "Resources", prompts: "Prompts" };

/** What a reading does before it reaches the member; `null` when the member is up. */
export function beforeReading(view: MemberView): string | null {
  switch (view.status) {
    case "ready":
      return null;
    case "starting":
      return `${view.name} is starting; a reading waits until it is ready.`;
    case "disabled":
      return `${view.name} is disabled in its manifest, so nothing of it can be read.`;
    case "unreviewed":
      return `Nobody has accepted what ${view.name} runs, so nothing of it can be read.`;
    default:
      return `${view.name} does not run; a reading starts it first.`;
  }
}
