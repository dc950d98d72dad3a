/** Icons, labels and colors of the outcomes of past calls, and labels of their callers. */
import type { Caller, CallOutcome, HistoryEntry, OutcomeKind, RecordedCall } from "../../ipc/bindings";
import type { Face } from "../../components/status";

export const CALLER_WORDS: Record<Caller, string> = { window: "You", "command-line": "Command line", agent: "Agents", example: "Examples", app: "Apps" };

export const OUTCOME_FACES: Readonly<Record<OutcomeKind, Face>> = {
  ok: { shape: "done", word: "Done", colour: "text-ok" },
  "tool-error": { shape: "alert", word: "Tool error", colour: "text-warn" },
  failed: { shape: "cross", word: "Failed", colour: "text-bad" },
  cancelled: { shape: "ban", word: "Cancelled", colour: "text-dim" },
};

export const OUTCOMES = Object.keys(OUTCOME_FACES) as readonly OutcomeKind[];

/** The icon, label and color of one call's outcome. A timeout differs from other failures. */
export function entryFace({ outcome, code }: Pick<HistoryEntry, "outcome" | "code">): Face {
  return code === "call-timeout" ? { shape: "timer", word: "Timed out", colour: "text-warn" } : OUTCOME_FACES[outcome];
}

export const CALLERS_KNOWN = Object.keys(CALLER_WORDS) as readonly Caller[];

/** The label of the caller. For an agent, this is the name of its client, and for an app the name of its member. */
export function callerOf({ caller, client }: Pick<HistoryEntry, "caller" | "client">): string {
  if (caller === "app" && client !== null) return client;
  return caller === "agent" ? (client ?? "Agent") : CALLER_WORDS[caller];
}

/** Converts a recorded call to a call outcome, without the raw messages, which are not recorded. */
export function outcomeOf({ entry, end }: RecordedCall): CallOutcome {
  const { call, member, tool, atMs, durationMs } = entry;
  return { call, member, tool, startedAtMs: atMs, durationMs, request: null, structured: null, end };
}
