/** The filter of the history: the user's choice, and its conversion to the engine's filter. */
import type { AgentSession, Caller, HistoryEntry, HistoryFilter, MemberName, OutcomeKind, SessionRef, ToolName } from "../../ipc/bindings";

/** A time span. The days of a range are dates such as `2026-11-21`. An empty string means no limit. */
export type Span =
  | { readonly kind: "any" }
  | { readonly kind: "today" }
  | { readonly kind: "week" }
  | { readonly kind: "range"; readonly from: string; readonly to: string };

/** The filter that the user has set. `null` and an empty string match every call. */
export interface Choice {
  readonly text: string;
  readonly member: MemberName | null;
  readonly tool: ToolName | null;
  readonly outcome: OutcomeKind | null;
  readonly caller: Caller | null;
  readonly session: AgentSession | null;
  readonly span: Span;
}

export const EVERYTHING: Choice = {
  text: "",
  member: null,
  tool: null,
  outcome: null,
  caller: null,
  session: null,
  span: { kind: "any" },
};

const WEEK_DAYS = 7;

/** The start, in local time, of the day of `atMs`, or of the day `daysBefore` days earlier. */
export function dayStart(atMs: number, daysBefore = 0): number {
  const at = new Date(atMs);
  // The start is calculated with calendar days, because a day may have 23 or 25 hours.
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - daysBefore).getTime();
}

/** The start of a day such as `2026-11-21`, or `daysAfter` days later; `null` if the text is not a date. */
function dayOf(text: string, daysAfter = 0): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return null;
  const start = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + daysAfter).getTime();
  return Number.isNaN(start) ? null : start;
}

function timesOf(span: Span, nowMs: number): Pick<HistoryFilter, "sinceMs" | "untilMs"> {
  switch (span.kind) {
    case "any":
      return { sinceMs: null, untilMs: null };
    case "today":
      return { sinceMs: dayStart(nowMs), untilMs: null };
    case "week":
      return { sinceMs: dayStart(nowMs, WEEK_DAYS - 1), untilMs: null };
    case "range":
      // The range includes its last day.
      return { sinceMs: dayOf(span.from), untilMs: dayOf(span.to, 1) };
  }
}

/** The error message for a range that cannot match any call; `null` for any other span. */
export function wrongSpan(span: Span): string | null {
  if (span.kind !== "range") return null;
  const { sinceMs, untilMs } = timesOf(span, 0);
  return sinceMs !== null && untilMs !== null && sinceMs >= untilMs ? "The range ends before it starts." : null;
}

/** Converts the user's choice to the engine's filter. */
export function filterOf(choice: Choice, nowMs: number): HistoryFilter {
  const text = choice.text.trim();
  return {
    text: text === "" ? null : text,
    member: choice.member,
    tool: choice.tool,
    outcome: choice.outcome,
    caller: choice.caller,
    ...timesOf(choice.span, nowMs),
    entry: null,
    session: choice.session?.of ?? null,
  };
}

export const NO_FILTER: HistoryFilter = filterOf(EVERYTHING, 0);

const KEYS = Object.keys(NO_FILTER) as readonly (keyof HistoryFilter)[];

export function sameFilter(a: HistoryFilter, b: HistoryFilter): boolean {
  return a === b || KEYS.every((key) => a[key] === b[key]);
}

/** Whether the filter excludes calls. */
export function isFiltering(filter: HistoryFilter): boolean {
  return !sameFilter(filter, NO_FILTER);
}

/** Whether a session contains a call; `true` without a session. */
function isOf({ id, caller, client, session }: HistoryEntry, of: SessionRef | null): boolean {
  return of === null || (caller === "agent" && client === of.client && session === of.session && of.first <= id && id <= of.last);
}

/** Whether a call matches a filter; `null` with search words, because only the engine can search in results. */
export function fits(entry: HistoryEntry, filter: HistoryFilter): boolean | null {
  const known =
    (filter.member ?? entry.member) === entry.member &&
    (filter.tool ?? entry.tool) === entry.tool &&
    (filter.outcome ?? entry.outcome) === entry.outcome &&
    (filter.caller ?? entry.caller) === entry.caller &&
    isOf(entry, filter.session) &&
    (filter.entry ?? entry.id) === entry.id &&
    (filter.sinceMs ?? entry.atMs) <= entry.atMs &&
    entry.atMs < (filter.untilMs ?? Infinity);
  return known && filter.text !== null ? null : known;
}
