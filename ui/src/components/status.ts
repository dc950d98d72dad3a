/** The looks and words of states: always a shape, a colour and a word together. */
import type { Freshness, Status } from "../ipc/bindings";
import type { FirstSignName } from "./firstSigns";
import type { SignName } from "./signs";

export interface Face {
  readonly shape: SignName;
  readonly word: string;
  /** A Tailwind class for the shape's colour. */
  readonly colour: string;
}

/** The first paint shows statuses, and has few icons. */
interface StatusFace extends Face {
  readonly shape: FirstSignName;
}

const FACES: Record<Status, StatusFace> = {
  stopped: { shape: "ring", word: "Stopped", colour: "text-faint" },
  starting: { shape: "dashes", word: "Starting", colour: "text-warn" },
  ready: { shape: "dot", word: "Ready", colour: "text-ok" },
  stopping: { shape: "dashes", word: "Stopping", colour: "text-faint" },
  error: { shape: "diamond", word: "Failed", colour: "text-bad" },
  backoff: { shape: "retry", word: "Retrying", colour: "text-bad" },
  "crash-loop": { shape: "diamond", word: "Crashed", colour: "text-bad" },
  disabled: { shape: "pause", word: "Disabled", colour: "text-faint" },
  unreviewed: { shape: "shield", word: "Needs review", colour: "text-warn" },
};

export function faceOf(status: Status): StatusFace {
  return FACES[status];
}

/** Whether a member can be stopped rather than started. */
export function isRunning(status: Status): boolean {
  return status === "ready" || status === "starting" || status === "stopping" || status === "backoff";
}

/** The word for a list that is not what the server says now; empty for a live one. */
export function freshnessWord(freshness: Freshness): string {
  return freshness === "live" || freshness === "unknown" ? "" : freshness;
}
