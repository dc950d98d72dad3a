/** What a member does, behind the word for its status. */
import type { MemberView, StartStep } from "../bridge/bindings";
import { wholeDuration } from "./time";

/** How often the engine tries a member again that ended by itself. */
const TRIES_MAX = 5;

/** Since when, and what comes next. May be empty. */
export function statusDetail(view: MemberView, nowMs: number): string {
  const since = wholeDuration(nowMs - view.sinceMs);
  switch (view.status) {
    case "ready":
      return `for ${since}`;
    case "starting":
      return startDetail(view.step, since);
    case "stopping":
      return "";
    case "stopped":
      return view.lifecycle === "on-demand" ? "a call starts it" : `since ${since}`;
    case "disabled":
      return "its manifest says so";
    case "unreviewed":
      return view.trust.launch === "changed" ? "it runs something else than was accepted" : "nothing starts it before you have accepted it";
    case "error":
      return `${since} ago`;
    case "crash-loop":
      return `it ended ${view.attempt <= 1 ? "once" : `${view.attempt} times in a row`}; nothing more is tried until you start it`;
    case "backoff": {
      const left = view.retryAtMs === null ? 0 : Math.ceil((view.retryAtMs - nowMs) / 1_000);
      return `it failed ${view.attempt <= 1 ? "once" : `${view.attempt} times in a row`}; tries again ${left > 0 ? `in ${left} s` : "now"} (try ${view.attempt} of ${TRIES_MAX})`;
    }
  }
}

function startDetail(step: StartStep | null, since: string): string {
  switch (step) {
    case null:
      return `for ${since}`;
    case "queued":
      return "waits until others have started; a call goes first";
    case "pulling":
      return `for ${since}; the image of its container is being fetched`;
    case "installing":
      return `for ${since}; its server is being installed`;
    case "overtime":
      return `for ${since}, past its limit; it is still being installed, which goes on for ten minutes at most`;
    case "late":
      return `for ${since}, past its limit; it is still at work and has up to four times its limit`;
  }
}

/** The texts of one kind of request to a member. */
interface Before {
  readonly waits: (member: string) => string;
  readonly isDisabled: (member: string) => string;
  readonly isUnreviewed: (member: string) => string;
  readonly startsFirst: (member: string) => string;
}

/** What asking a member does before it reaches it; `null` when the member is up. */
export function beforeAsking({ name, status }: MemberView, said: Before): string | null {
  switch (status) {
    case "ready":
      return null;
    case "starting":
      return said.waits(name);
    case "disabled":
      return said.isDisabled(name);
    case "unreviewed":
      return said.isUnreviewed(name);
    default:
      return said.startsFirst(name);
  }
}

/** What stopping a member is called as things are now. */
export function stopWord(view: MemberView): string {
  const takesLong = view.status === "starting" && view.step !== null && view.step !== "queued";
  return takesLong || view.status === "backoff" ? "Give up" : "Stop";
}
