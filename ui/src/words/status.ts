/** How states look and what they are called: always a shape, a colour and a word together. */
import type { Freshness, MemberView, StartStep, Status, ToolHints } from "../bridge/bindings";
import { wholeDuration } from "./time";

export interface Face {
  shape: string;
  word: string;
  /** A Tailwind class for the shape's colour. */
  colour: string;
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
  switch (freshness) {
    case "live":
      return "";
    case "unknown":
      return "";
    case "refreshing":
      return "refreshing";
    case "cached":
      return "cached";
    case "outdated":
      return "outdated";
  }
}

export interface HintMark {
  mark: string;
  title: string;
  colour: string;
}

/** The marks of what a server says that its tool does. */
export function hintMarks(hints: ToolHints): readonly HintMark[] {
  const marks: HintMark[] = [];
  if (hints.readOnly === true) {
    marks.push({ mark: "R", title: "Read-only: the server says it changes nothing", colour: "text-ok" });
  } else if (hints.destructive === true) {
    marks.push({ mark: "!", title: "Destructive: the server says it may destroy something", colour: "text-bad" });
  }
  if (hints.idempotent === true) {
    marks.push({ mark: "↻", title: "Idempotent: the server says a second identical call changes nothing more", colour: "text-dim" });
  }
  if (hints.openWorld === true) {
    marks.push({ mark: "⇄", title: "Open world: the server says it reaches things outside itself", colour: "text-dim" });
  }
  return marks;
}

/** How often the engine tries a member again that ended by itself. */
const TRIES_MAX = 5;

/** Why a member can be reached from other machines, where it can. */
export function exposure(view: MemberView): string | null {
  return view.warnings.find(({ code }) => code === "port-exposed")?.message ?? null;
}

/** What stands behind the status's word: since when, what comes next. May be empty. */
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
      return `it ended ${times(view.attempt)}; nothing more is tried until you start it`;
    case "backoff": {
      const left = view.retryAtMs === null ? 0 : Math.ceil((view.retryAtMs - nowMs) / 1_000);
      return `it failed ${times(view.attempt)}; tries again ${left > 0 ? `in ${left} s` : "now"} (try ${view.attempt} of ${TRIES_MAX})`;
    }
  }
}

function startDetail(step: StartStep | null, since: string): string {
  switch (step) {
    case null:
      return `for ${since}`;
    case "queued":
      return "waits until others have started; a call goes first";
    case "installing":
      return `for ${since}; its server is being installed`;
    case "overtime":
      return `for ${since}, past its limit; it is still being installed, which goes on for ten minutes at most`;
  }
}

/** What stopping a member is called as things are now. */
export function stopWord(view: MemberView): string {
  const isInstalling = view.status === "starting" && (view.step === "installing" || view.step === "overtime");
  return isInstalling || view.status === "backoff" ? "Give up" : "Stop";
}

function times(attempt: number): string {
  return attempt <= 1 ? "once" : `${attempt} times in a row`;
}
