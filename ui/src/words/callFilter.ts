import type { Caller, OutcomeKind } from "../bridge/bindings";
import type { Span } from "../history/filter";

const outcomes: Record<OutcomeKind, string> = { ok: "ok", "tool-error": "tool error", failed: "failed", cancelled: "cancelled" };

const callers: Record<Caller, string> = { window: "mine", "command-line": "command line", agent: "agents", example: "examples" };

const spans: Record<Span["kind"], string> = { any: "any time", today: "today", week: "last 7 days", range: "from … to …" };

/** How calls of the past ended, who made them, and what their list is narrowed to. */
export const words = {
  outcomes,
  callers,

  spans,
};
