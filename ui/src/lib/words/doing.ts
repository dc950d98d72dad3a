/** Texts about a member's status. */
import type { MemberView, StartStep } from "../../ipc/bindings";
import { wholeDuration } from "../time";

/** The maximum number of automatic restarts of a failed member. It must equal the engine's limit. */
const TRIES_MAX = 5;

/** A detail shown after the status, such as `up 5 s` or `queued`. Can be empty. */
export function statusDetail(view: MemberView, nowMs: number): string {
  const since = wholeDuration(nowMs - view.sinceMs);
  const times = view.attempt <= 1 ? "once" : `${view.attempt} times`;
  switch (view.status) {
    case "ready":
      return `up ${since}`;
    case "starting":
      return startDetail(view.step, since);
    case "stopping":
      return "";
    case "stopped":
      return view.lifecycle === "on-demand" ? "starts when called" : `for ${since}`;
    case "disabled":
      return "in plugin.json";
    case "unreviewed":
      return view.trust.launch === "changed" ? "its command changed" : "review it to start";
    case "error":
      return `${since} ago`;
    case "crash-loop":
      return `${times}; won't restart by itself`;
    case "backoff": {
      const left = view.retryAtMs === null ? 0 : Math.ceil((view.retryAtMs - nowMs) / 1_000);
      return `failed ${times}; retrying ${left > 0 ? `in ${left} s` : "now"} (${view.attempt} of ${TRIES_MAX})`;
    }
  }
}

function startDetail(step: StartStep | null, since: string): string {
  switch (step) {
    case null:
      return since;
    case "queued":
      return "queued";
    case "pulling":
      return `pulling image, ${since}`;
    case "installing":
      return `installing, ${since}`;
    case "overtime":
      return `still installing, ${since} (limit 10 min)`;
    case "late":
      return `still starting, ${since}`;
  }
}

/** The texts for one kind of request, such as a tool call, by the member's status. */
interface Before {
  readonly waits: (member: string) => string;
  readonly isDisabled: (member: string) => string;
  readonly isUnreviewed: (member: string) => string;
  /**
   * The text for a member that must be started first. `state` is a clause with its status, such as `forge is stopped`.
   */
  readonly startsFirst: (state: string) => string;
}

const DOWN = {
  stopped: "is stopped",
  stopping: "is stopping",
  error: "has failed",
  "crash-loop": "keeps crashing",
  backoff: "has failed and will be restarted",
} as const;

/** The text about what must happen before a request can be sent to the member; `null` if the member is running. */
export function beforeAsking({ name, status }: MemberView, texts: Before): string | null {
  switch (status) {
    case "ready":
      return null;
    case "starting":
      return texts.waits(name);
    case "disabled":
      return texts.isDisabled(name);
    case "unreviewed":
      return texts.isUnreviewed(name);
    default:
      return texts.startsFirst(`${name} ${DOWN[status]}`);
  }
}

/** The label of the stop button for the member's current status. */
export function stopWord(view: MemberView): string {
  const takesLong = view.status === "starting" && view.step !== null && view.step !== "queued";
  return takesLong || view.status === "backoff" ? "Give up" : "Stop";
}
