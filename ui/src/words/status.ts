/** How states look and what they are called: always a shape, a colour and a word together. */
import type { Freshness, Status } from "../bridge/bindings";
import { words } from "./frame";

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
  return { ...LOOKS[status], word: words.status[status] };
}

/** The word for a list that is not what the server says now; empty for a live one. */
export function freshnessWord(freshness: Freshness): string {
  return freshness === "live" || freshness === "unknown" ? "" : words.freshness[freshness];
}
