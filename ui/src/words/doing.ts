/** What a member does, behind the word for its status. */
import type { MemberView, StartStep } from "../bridge/bindings";
import { wholeDuration } from "./time";

const times = (attempt: number) => (attempt <= 1 ? "once" : `${attempt} times in a row`);

/** What stands behind the word for a member's status. */
const words = {
  for: (since: string) => `for ${since}`,
  since: (since: string) => `since ${since}`,
  ago: (since: string) => `${since} ago`,
  queued: "waits until others have started; a call goes first",
  pulling: (since: string) => `for ${since}; the image of its container is being fetched`,
  installing: (since: string) => `for ${since}; its server is being installed`,
  overtime: (since: string) => `for ${since}, past its limit; it is still being installed, which goes on for ten minutes at most`,
  late: (since: string) => `for ${since}, past its limit; it is still at work and has up to four times its limit`,
  onDemand: "a call starts it",
  disabled: "its manifest says so",
  otherLaunch: "it runs something else than was accepted",
  notAccepted: "nothing starts it before you have accepted it",
  crashLoop: (attempt: number) => `it ended ${times(attempt)}; nothing more is tried until you start it`,
  backoff: (attempt: number, seconds: number, most: number) =>
    `it failed ${times(attempt)}; tries again ${seconds > 0 ? `in ${seconds} s` : "now"} (try ${attempt} of ${most})`,
  stop: "Stop",
  giveUp: "Give up",
};

/** How often the engine tries a member again that ended by itself. */
const TRIES_MAX = 5;

/** Since when, and what comes next. May be empty. */
export function statusDetail(view: MemberView, nowMs: number): string {
  const since = wholeDuration(nowMs - view.sinceMs);
  switch (view.status) {
    case "ready":
      return words.for(since);
    case "starting":
      return startDetail(view.step, since);
    case "stopping":
      return "";
    case "stopped":
      return view.lifecycle === "on-demand" ? words.onDemand : words.since(since);
    case "disabled":
      return words.disabled;
    case "unreviewed":
      return view.trust.launch === "changed" ? words.otherLaunch : words.notAccepted;
    case "error":
      return words.ago(since);
    case "crash-loop":
      return words.crashLoop(view.attempt);
    case "backoff": {
      const left = view.retryAtMs === null ? 0 : Math.ceil((view.retryAtMs - nowMs) / 1_000);
      return words.backoff(view.attempt, left, TRIES_MAX);
    }
  }
}

function startDetail(step: StartStep | null, since: string): string {
  switch (step) {
    case null:
      return words.for(since);
    case "queued":
      return words.queued;
    case "pulling":
      return words.pulling(since);
    case "installing":
      return words.installing(since);
    case "overtime":
      return words.overtime(since);
    case "late":
      return words.late(since);
  }
}

/** What is said of one kind of thing that a member is asked for. */
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
  return takesLong || view.status === "backoff" ? words.giveUp : words.stop;
}
