/** How states look and what they are called: always a shape, a colour and a word together. */
import type { Freshness, Status } from "../bridge/bindings";

export interface Face {
  readonly shape: string;
  readonly word: string;
  /** A Tailwind class for the shape's colour. */
  readonly colour: string;
}

const FACES: Record<Status, Face> = {
  stopped: { shape: "○", word: "stopped", colour: "text-faint" },
  starting: { shape: "◐", word: "starting", colour: "text-warn" },
  ready: { shape: "●", word: "ready", colour: "text-ok" },
  stopping: { shape: "◑", word: "stopping", colour: "text-faint" },
  error: { shape: "✕", word: "failed", colour: "text-bad" },
  backoff: { shape: "↺", word: "retrying", colour: "text-bad" },
  "crash-loop": { shape: "✕", word: "crash loop", colour: "text-bad" },
  disabled: { shape: "‖", word: "disabled", colour: "text-faint" },
  unreviewed: { shape: "?", word: "unreviewed", colour: "text-warn" },
};

export function faceOf(status: Status): Face {
  return FACES[status];
}

/** The word for a list that is not what the server says now; empty for a live one. */
export function freshnessWord(freshness: Freshness): string {
  return freshness === "live" || freshness === "unknown" ? "" : freshness;
}
