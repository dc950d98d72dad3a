/** What the list is narrowed to. Each choice counts at once; words when the typing rests. */
import { useEffect, useMemo, useState, type ReactNode } from "react";

import { useHouse } from "../app/house";
import type { HistoryEntry } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { EVERYTHING, filterOf, isFiltering, wrongSpan, type Choice, type Span } from "./filter";
import { CALLERS_KNOWN, callerWord, outcomeFace, OUTCOMES } from "./outcome";

const SPANS: Record<Span["kind"], string> = { any: "any time", today: "today", week: "last 7 days", range: "from … to …" };

const REST_MS = 120;
/** Of so many calls the names of members and tools are offered, besides those that there are now. */
const LOOKED_AT_MAX = 2_000;

const SELECT = "h-6 max-w-36 min-w-0 rounded-sm border border-line-strong bg-bg text-text";

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

function namesIn(entries: readonly HistoryEntry[], choice: Choice) {
  const looked = entries.slice(0, LOOKED_AT_MAX);
  const ofMember = looked.filter(({ member }) => choice.member === null || member === choice.member);
  return { members: looked.map(({ member }) => member), tools: ofMember.map(({ tool }) => tool) };
}

/** The members and tools that can be chosen: those of the roster, and those of calls on the list. */
function useNames(choice: Choice): { members: readonly string[]; tools: readonly string[] } {
  const { hall, history } = useHouse();
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

export function FilterBar() {
  const { history } = useHouse();
  const choice = useStore(history.choice, (now) => now);
  const { members, tools } = useNames(choice);
  const wrong = wrongSpan(choice.span);
  return (
    <div role="search" aria-label="Calls" className="flex min-w-0 flex-[1_1_600px] flex-wrap items-center gap-x-2 gap-y-1">
      <Words />
      <Select label="Member" value={choice.member ?? ""} onValue={(member) => history.narrow({ member: member === "" ? null : member, tool: null })}>
        <option value="">any member</option>
        {members.map((name) => <option key={name}>{name}</option>)}
      </Select>
      <Select label="Tool" value={choice.tool ?? ""} onValue={(tool) => history.narrow({ tool: tool === "" ? null : tool })}>
        <option value="">any tool</option>
        {tools.map((name) => <option key={name}>{name}</option>)}
      </Select>
      <Select
        label="Outcome"
        value={choice.outcome ?? ""}
        onValue={(word) => history.narrow({ outcome: OUTCOMES.find((outcome) => outcome === word) ?? null })}
      >
        <option value="">any outcome</option>
        {OUTCOMES.map((outcome) => (
          <option key={outcome} value={outcome}>{outcomeFace(outcome).word}</option>
        ))}
      </Select>
      <Select
        label="Caller"
        value={choice.caller ?? ""}
        onValue={(word) => history.narrow({ caller: CALLERS_KNOWN.find((caller) => caller === word) ?? null })}
      >
        <option value="">anybody</option>
        {CALLERS_KNOWN.map((caller) => (
          <option key={caller} value={caller}>{callerWord(caller)}</option>
        ))}
      </Select>
      <Times span={choice.span} wrong={wrong} />
      {isFiltering(filterOf(choice, 0)) && (
        <Button look="quiet" onClick={() => history.choice.set(EVERYTHING)}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** The field for words. What is typed counts when it rests; what is set from elsewhere at once. */
function Words() {
  const { history } = useHouse();
  const held = useStore(history.choice, (choice) => choice.text);
  const [typed, setTyped] = useState({ text: held, held });
  if (typed.held !== held) setTyped({ text: held, held });
  useEffect(() => {
    if (typed.text === held) return undefined;
    const timer = setTimeout(() => history.narrow({ text: typed.text }), REST_MS);
    return () => clearTimeout(timer);
  }, [history, typed.text, held]);
  return (
    <input
      type="search"
      aria-label="Search calls"
      placeholder="Words of arguments, errors, results…"
      data-testid="history-search"
      maxLength={200}
      spellCheck={false}
      autoComplete="off"
      value={typed.text}
      onChange={(event) => setTyped({ text: event.target.value, held })}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || typed.text === "") return;
        event.preventDefault();
        event.stopPropagation();
        history.narrow({ text: "" });
        setTyped({ text: "", held: "" });
      }}
      className="h-6 min-w-32 flex-1 basis-32 rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
    />
  );
}

function Select(props: { label: string; value: string; onValue: (value: string) => void; children: ReactNode }) {
  return (
    <select aria-label={props.label} className={SELECT} value={props.value} onChange={(event) => props.onValue(event.target.value)}>
      {props.children}
    </select>
  );
}

function Times({ span, wrong }: { span: Span; wrong: string | null }) {
  const { history } = useHouse();
  const set = (next: Span) => history.narrow({ span: next });
  const day = (label: string, value: string, onValue: (value: string) => void) => (
    <input
      type="date"
      aria-label={label}
      aria-invalid={wrong !== null}
      className="h-6 rounded-sm border border-line-strong bg-bg px-1 aria-invalid:border-bad"
      value={value}
      onChange={(event) => onValue(event.target.value)}
    />
  );
  return (
    <>
      <Select
        label="Time"
        value={span.kind}
        onValue={(kind) =>
          set(kind === "range" ? { kind, from: "", to: "" } : { kind: kind === "today" || kind === "week" ? kind : "any" })
        }
      >
        {Object.entries(SPANS).map(([kind, word]) => (
          <option key={kind} value={kind}>{word}</option>
        ))}
      </Select>
      {span.kind === "range" && (
        <span className="inline-flex items-center gap-1">
          {day("From", span.from, (from) => set({ ...span, from }))}
          <span aria-hidden>–</span>
          {day("To, that day included", span.to, (to) => set({ ...span, to }))}
          {wrong !== null && <span role="alert" className="text-sm text-bad"><Sign of="cross" className="me-1" />{wrong}</span>}
        </span>
      )}
    </>
  );
}
