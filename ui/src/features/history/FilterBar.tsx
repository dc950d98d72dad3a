/** The search field and the filters of the history. A filter applies immediately, search words after a short delay. */
import { useEffect, useMemo, useState } from "react";

import type { AgentSession, HistoryEntry, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { SearchField } from "../../components/SearchField";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { Menu, type MenuItem } from "../../components/Menu";
import { counted } from "../../lib/format";
import { toTheMinute } from "../../lib/time";
import { useCallHistory } from "./callHistory";
import { EVERYTHING, filterOf, isFiltering, wrongSpan, type Choice, type Span } from "./filter";
import { CALLERS_KNOWN, CALLER_WORDS, callerOf, OUTCOME_FACES, OUTCOMES } from "./outcome";

const SPANS: Record<Span["kind"], string> = { any: "Any time", today: "Today", week: "Last 7 days", range: "Dates" };

const REST_MS = 120;
/** The number of newest calls whose members and tools are offered as filters, in addition to those of the roster. */
const NAMED_MAX = 2_000;
/** The number of newest sessions that are offered as filters. */
const SESSIONS_MAX = 20;

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

function namesIn(entries: readonly HistoryEntry[], choice: Choice) {
  const looked = entries.slice(0, NAMED_MAX);
  const ofMember = looked.filter(({ member }) => choice.member === null || member === choice.member);
  return { members: looked.map(({ member }) => member), tools: ofMember.map(({ tool }) => tool) };
}

/** The members and tools that the user can filter by: those of the roster and those of the listed calls. */
function useNames(choice: Choice): { members: readonly string[]; tools: readonly string[] } {
  const hall = useHall();
  const history = useCallHistory();
  const roster = useStore(hall.state, (state) => state.members);
  const entries = useStore(history.log.pages, (pages) => pages.entries);
  const list = useStore(hall.lists, (lists) => (choice.member === null ? undefined : lists.get(choice.member)?.tools?.tools));
  const known = roster.some(({ name }) => name === choice.member);
  useEffect(() => (choice.member !== null && known ? hall.watch(choice.member) : undefined), [hall, choice.member, known]);
  return useMemo(() => {
    const past = namesIn(entries, choice);
    return {
      members: sorted([...roster.map(({ name }) => name), ...past.members, ...(choice.member === null ? [] : [choice.member])]),
      tools: sorted([...(list ?? []).map(({ name }) => name), ...past.tools, ...(choice.tool === null ? [] : [choice.tool])]),
    };
  }, [entries, choice, roster, list]);
}

function sessionWords({ of: { client }, beganMs, calls }: AgentSession): string {
  return `${callerOf({ caller: "agent", client })} · ${toTheMinute(beganMs)} · ${counted(calls, { one: "call", other: "calls" })}`;
}

/** The newest sessions of agents, read by `read`; `null` until read. */
function useSessions(): { readonly sessions: readonly AgentSession[] | Report | null; readonly read: () => void } {
  const hall = useHall();
  const [sessions, setSessions] = useState<readonly AgentSession[] | Report | null>(null);
  const read = () =>
    void hall.ask("agent_sessions", { limit: SESSIONS_MAX }).then(
      (answer) => setSessions(answer.sessions),
      (reason: unknown) => setSessions(asRefusal(reason).report),
    );
  return { sessions, read };
}

/** The submenu with the sessions, empty until they are read, or a disabled item with the reason why there is none. */
function sessionItem(sessions: readonly AgentSession[] | Report | null, onSession: (session: AgentSession) => void): MenuItem {
  const none = (unavailable: string) => ({ label: "Session", unavailable, onSelect: () => undefined });
  if (sessions !== null && "code" in sessions) return none(sessions.message);
  if (sessions?.length === 0) return none("No agent has called a tool yet");
  return { label: "Session", items: (sessions ?? []).map((session) => ({ label: sessionWords(session), onSelect: () => onSession(session) })) };
}

/** The active filters as chips, each with the change that removes the filter. */
function chipsOf({ member, tool, outcome, caller, session, span }: Choice): readonly { readonly label: string; readonly without: Partial<Choice> }[] {
  return [
    ...(member === null ? [] : [{ label: member, without: { member: null, tool: null } }]),
    ...(tool === null ? [] : [{ label: tool, without: { tool: null } }]),
    ...(outcome === null ? [] : [{ label: OUTCOME_FACES[outcome].word, without: { outcome: null } }]),
    ...(caller === null ? [] : [{ label: CALLER_WORDS[caller], without: { caller: null } }]),
    ...(session === null ? [] : [{ label: sessionWords(session), without: { session: null } }]),
    ...(span.kind === "any" ? [] : [{ label: SPANS[span.kind], without: { span: { kind: "any" as const } } }]),
  ];
}

export function FilterBar() {
  const history = useCallHistory();
  const choice = useStore(history.choice, (now) => now);
  const { members, tools } = useNames(choice);
  const { sessions, read } = useSessions();
  const wrong = wrongSpan(choice.span);
  const values = (all: readonly string[], labelOf: (value: string) => string, set: (value: string) => Partial<Choice>): readonly MenuItem[] =>
    all.map((value) => ({ label: labelOf(value), onSelect: () => history.narrow(set(value)) }));
  const same = (value: string) => value;
  const items: readonly MenuItem[] = [
    { label: "Member", items: values(members, same, (member) => ({ member, tool: null })) },
    { label: "Tool", items: values(tools, same, (tool) => ({ tool })) },
    { label: "Result", items: OUTCOMES.map((outcome) => ({ label: OUTCOME_FACES[outcome].word, onSelect: () => history.narrow({ outcome }) })) },
    { label: "By", items: CALLERS_KNOWN.map((caller) => ({ label: CALLER_WORDS[caller], onSelect: () => history.narrow({ caller }) })) },
    sessionItem(sessions, (session) => history.narrow({ session })),
    {
      label: "Time",
      items: [
        { label: SPANS.today, onSelect: () => history.narrow({ span: { kind: "today" } }) },
        { label: SPANS.week, onSelect: () => history.narrow({ span: { kind: "week" } }) },
        { label: "Dates…", onSelect: () => history.narrow({ span: { kind: "range", from: "", to: "" } }) },
      ],
    },
  ];
  return (
    <div role="search" aria-label="Calls" className="flex min-w-0 flex-wrap items-center gap-2">
      <Words />
      {chipsOf(choice).map(({ label, without }) => (
        <button
          key={label}
          type="button"
          aria-label={`Remove filter ${label}`}
          className="inline-flex h-6 max-w-72 items-center gap-1 rounded-full bg-selected px-2.5 text-sm font-medium hover:brightness-95"
          onClick={() => history.narrow(without)}
        >
          <span className="truncate">{label}</span>
          <Sign of="close" className="shrink-0" />
        </button>
      ))}
      {choice.span.kind === "range" && <Dates span={choice.span} wrong={wrong} />}
      <Menu items={items} align="start" onOpenChange={(open) => open && read()}>
        <Button className="h-6! rounded-full text-sm text-dim">
          <Sign of="filter" />
          Filter
          <Sign of="chevronDown" />
        </Button>
      </Menu>
      {isFiltering(filterOf(choice, 0)) && (
        <Button look="quiet" onClick={() => history.choice.set(EVERYTHING)}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** The search field. Typed text applies after `REST_MS`. Text that other code sets applies immediately. */
function Words() {
  const history = useCallHistory();
  const held = useStore(history.choice, (choice) => choice.text);
  const [typed, setTyped] = useState({ text: held, held });
  if (typed.held !== held) setTyped({ text: held, held });
  useEffect(() => {
    if (typed.text === held) return undefined;
    const timer = setTimeout(() => history.narrow({ text: typed.text }), REST_MS);
    return () => clearTimeout(timer);
  }, [history, typed.text, held]);
  return (
    <SearchField
      label="Search calls"
      placeholder="Search calls…"
      data-testid="history-search"
      value={typed.text}
      onValue={(text) => setTyped({ text, held })}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || typed.text === "") return;
        event.preventDefault();
        event.stopPropagation();
        history.narrow({ text: "" });
        setTyped({ text: "", held: "" });
      }}
      className="w-44"
    />
  );
}

function Dates({ span, wrong }: { span: Extract<Span, { kind: "range" }>; wrong: string | null }) {
  const history = useCallHistory();
  const day = (label: string, value: string, onValue: (value: string) => void) => (
    <input
      type="date"
      aria-label={label}
      aria-invalid={wrong !== null}
      className="h-6 rounded-sm border border-control bg-bg px-1 aria-invalid:border-bad"
      value={value}
      onChange={(event) => onValue(event.target.value)}
    />
  );
  return (
    <span className="inline-flex items-center gap-1">
      {day("From", span.from, (from) => history.narrow({ span: { ...span, from } }))}
      <span aria-hidden>–</span>
      {day("To (inclusive)", span.to, (to) => history.narrow({ span: { ...span, to } }))}
      {wrong !== null && <span role="alert" className="text-sm text-bad"><Sign of="cross" className="me-1" />{wrong}</span>}
    </span>
  );
}
