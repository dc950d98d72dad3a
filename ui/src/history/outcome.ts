/** How a call of the past ended: always a shape, a colour and a word together. */
import type { Caller, CallOutcome, HistoryEntry, OutcomeKind, RecordedCall } from "../bridge/bindings";
import type { Face } from "../words/status";

const CALLERS: Record<Caller, string> = { window: "You", "command-line": "Command line", agent: "Agents", example: "Examples" };

const FACES: Readonly<Record<OutcomeKind, Face>> = {
  ok: { shape: "dot", word: "ok", colour: "text-ok" },
  "tool-error": { shape: "warning", word: "tool error", colour: "text-warn" },
  failed: { shape: "cross", word: "failed", colour: "text-bad" },
  cancelled: { shape: "pause", word: "cancelled", colour: "text-dim" },
};

export const OUTCOMES = Object.keys(FACES) as readonly OutcomeKind[];

export function outcomeFace(outcome: OutcomeKind): Face {
  return FACES[outcome];
}

/** The face of one call; a time limit looks like none of the other failures. */
export function entryFace({ outcome, code }: Pick<HistoryEntry, "outcome" | "code">): Face {
  return code === "call-timeout" ? { shape: "clock", word: "time limit", colour: "text-bad" } : FACES[outcome];
}

export const CALLERS_KNOWN = Object.keys(CALLERS) as readonly Caller[];

export function callerWord(caller: Caller): string {
  return CALLERS[caller];
}

/** Who asked for a call that is not of this window; `null` for one that is. */
export function callerOf({ caller, client }: Pick<HistoryEntry, "caller" | "client">): string | null {
  if (caller === "window") return null;
  return caller === "agent" ? (client ?? "Agent") : CALLERS[caller];
}

/** Converts a recorded call to its outcome. The raw messages are not recorded. */
export function outcomeOf({ entry, end }: RecordedCall): CallOutcome {
  const { call, member, tool, atMs, durationMs } = entry;
  return { call, member, tool, startedAtMs: atMs, durationMs, request: null, structured: null, end };
}
