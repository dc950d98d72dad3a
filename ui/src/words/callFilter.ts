import type { Caller, OutcomeKind } from "../bridge/bindings";
import type { Span } from "../history/filter";

const outcomes: Record<OutcomeKind, string> = { ok: "ok", "tool-error": "tool error", failed: "failed", cancelled: "cancelled" };

const callers: Record<Caller, string> = { window: "mine", "command-line": "command line", agent: "agents", example: "examples" };

const spans: Record<Span["kind"], string> = { any: "any time", today: "today", week: "last 7 days", range: "from … to …" };

/** How calls of the past ended, who made them, and what their list is narrowed to. */
export const words = {
  outcomes,
  timeLimit: "time limit",
  callers,
  someAgent: "an agent",

  calls: "Calls",
  search: "Search calls",
  searchSample: "Words of arguments, errors, results…",
  member: "Member",
  anyMember: "any member",
  tool: "Tool",
  anyTool: "any tool",
  outcome: "Outcome",
  anyOutcome: "any outcome",
  caller: "Caller",
  anybody: "anybody",
  time: "Time",
  spans,
  from: "From",
  to: "To, that day included",
  endsBeforeItBegins: "The range ends before it begins.",
  clear: "Clear filters",
};
