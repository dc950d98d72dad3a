/** How states look and what they are called: always a shape, a colour and a word together. */
import type { Freshness, Status } from "../bridge/bindings";

const STATUS: Record<Status, string> = {
  stopped: "stopped",
  starting: "starting",
  ready: "ready",
  stopping: "stopping",
  error: "failed",
  backoff: "retrying",
  "crash-loop": "crash loop",
  disabled: "disabled",
  unreviewed: "unreviewed",
};

/** Of a list that is not what the server says now. */
const FRESHNESS: Record<Exclude<Freshness, "live" | "unknown">, string> = {
  refreshing: "refreshing",
  cached: "cached",
  outdated: "outdated",
};

export interface Face {
  readonly shape: string;
  readonly word: string;
  /** A Tailwind class for the shape's colour. */
  readonly colour: string;
}

const LOOKS: Record<Status, Omit<Face, "word">> = {
  stopped: { shape: "○", colour: "text-faint" },
  starting: { shape: "◐", colour: "text-warn" },
  ready: { shape: "●", colour: "text-ok" },
  stopping: { shape: "◑", colour: "text-faint" },
  error: { shape: "✕", colour: "text-bad" },
  backoff: { shape: "↺", colour: "text-bad" },
  "crash-loop": { shape: "✕", colour: "text-bad" },
  disabled: { shape: "‖", colour: "text-faint" },
  unreviewed: { shape: "?", colour: "text-warn" },
};

export function faceOf(status: Status): Face {
  return { ...LOOKS[status], word: STATUS[status] };
}

/** The word for a list that is not what the server says now; empty for a live one. */
export function freshnessWord(freshness: Freshness): string {
  return freshness === "live" || freshness === "unknown" ? "" : FRESHNESS[freshness];
}
