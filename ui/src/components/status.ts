/** The symbol, color and word of each member status. */
import type { Freshness, Status } from "../ipc/bindings";
import type { FirstSignName } from "./firstSigns";
import type { SignName } from "./signs";

export interface Face {
  readonly shape: SignName;
  readonly word: string;
  /** The Tailwind class for the symbol's color. */
  readonly colour: string;
}

/** Statuses appear in the first paint, so their symbols must be icons of the first paint. */
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

/** Whether the interface offers to stop a member with this status instead of starting it. */
export function isRunning(status: Status): boolean {
  return status === "ready" || status === "starting" || status === "stopping" || status === "backoff";
}

/**
 * The label of an outdated tool list; empty for any other list, because the status shows whether such a list is
 * current.
 */
export function freshnessWord(freshness: Freshness): string {
  return freshness === "outdated" ? freshness : "";
}
