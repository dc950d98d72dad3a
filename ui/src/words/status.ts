/** How states look and what they are called: always a shape, a colour and a word together. */
import type { Freshness, Status } from "../bridge/bindings";
import type { SignName } from "../parts/signs";

export interface Face {
  readonly shape: SignName;
  readonly word: string;
  /** A Tailwind class for the shape's colour. */
  readonly colour: string;
}

const FACES: Record<Status, Face> = {
  stopped: { shape: "ring", word: "stopped", colour: "text-faint" },
  starting: { shape: "dashes", word: "starting", colour: "text-warn" },
  ready: { shape: "dot", word: "ready", colour: "text-ok" },
  stopping: { shape: "dashes", word: "stopping", colour: "text-faint" },
  error: { shape: "diamond", word: "failed", colour: "text-bad" },
  backoff: { shape: "retry", word: "retrying", colour: "text-bad" },
  "crash-loop": { shape: "diamond", word: "crash loop", colour: "text-bad" },
  disabled: { shape: "pause", word: "disabled", colour: "text-faint" },
  unreviewed: { shape: "shield", word: "unreviewed", colour: "text-warn" },
};

export function faceOf(status: Status): Face {
  return FACES[status];
}

/** The word for a list that is not what the server says now; empty for a live one. */
export function freshnessWord(freshness: Freshness): string {
  return freshness === "live" || freshness === "unknown" ? "" : freshness;
}
