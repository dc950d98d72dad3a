/**
 * The Log tab: new lines of a member's stderr, and older lines from its log files when the user scrolls up. Scrolling
 * up stops the automatic scrolling. A button then shows the number of new lines.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";

import type { LogFilter, LogLine, MemberName } from "../../ipc/bindings";
import { SearchField } from "../../components/SearchField";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { ErrorCode } from "../../components/ErrorCode";
import { Sign } from "../../components/Icon";
import { EmptyState } from "../../components/EmptyState";
import { Reading } from "../../components/Reading";
import { Select } from "../../components/Select";
import { Tooltip } from "../../components/Tooltip";
import { useHall } from "../../lib/hall/hall";
import { useSpoken } from "../../lib/spoken";
import { useSlow } from "../../lib/useSlow";
import { counted, number } from "../../lib/format";
import { clock, moment } from "../../lib/time";
import { countAfter, keyOf, rowsOf, textOf, type Row } from "./lines";
import { SaveLog } from "./SaveLog";
import { HELD_MAX, useLog, type OpenLog } from "./useLog";

const found = (count: number) => `${counted(count, { one: "line", other: "lines" })} found`;

const LINE_PX = 18;
/** The largest distance in pixels from the top or the bottom that still counts as the top or the bottom. */
const END_PX = 2 * LINE_PX;
/** Maximum number of runs in the select, which lists the newest first. */
const STARTS_MAX = 100;

function asText(lines: readonly LogLine[]): string {
  return lines.map((line) => `${moment(line.atMs)} ${textOf(line)}`).join("\n");
}

export default function LogView({ member }: { member: MemberName }) {
  const hall = useHall();
  const spoken = useSpoken();
  const [query, setQuery] = useState("");
  const [start, setStart] = useState<number | null>(null);
  const contains = useDeferredValue(query.trim());
  const filter = useMemo<LogFilter>(() => ({ contains, start }), [contains, start]);
  const isFiltered = contains !== "" || start !== null;
  /** The `seq` of the newest line when automatic scrolling stopped; `null` while automatic scrolling is on. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const following = leftAt === null;
  const open = useLog(hall, member, filter, !following);
  const { log, lines } = open;
  const newest = log.lines.at(-1)?.seq ?? -1;
  const scroller = useRef<HTMLDivElement>(null);

  const rows = useMemo(() => rowsOf(lines, !isFiltered), [lines, isFiltered]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => {
      const row = rows[index];
      return row ? keyOf(row) : index;
    },
    overscan: 20,
    useFlushSync: false,
  });

  /**
   * The key of the top row, the height in pixels by which this row is above the viewport (`rest`), and the scroll
   * position in pixels (`top`).
   */
  const stood = useRef<{ key: string | number | null; rest: number; top: number }>({ key: null, rest: 0, top: 0 });
  // A layout effect runs before the paint, so the log does not flicker, and before `onScroll` gets an event.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { key, rest } = stood.current;
    if (following) element.scrollTop = element.scrollHeight;
    else if (key !== null) {
      // Lines may have been added or removed above, so scroll to the row that was at the top before.
      const index = rows.findIndex((row) => keyOf(row) === key);
      if (index >= 0) element.scrollTop = index * LINE_PX + rest;
    }
    stood.current = standing(element, rows);
  }, [following, rows]);

  function onScroll(): void {
    const element = scroller.current;
    if (!element) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    const goesUp = element.scrollTop < stood.current.top;
    stood.current = standing(element, rows);
    if (goesUp) {
      if (left > END_PX) setLeftAt((before) => before ?? newest);
      if (element.scrollTop <= END_PX && open.hasEarlier && !isFiltered) open.readEarlier();
    } else if (left <= END_PX) setLeftAt(null);
  }

  /** Scrolls to the top, where earlier lines are inserted, and requests earlier lines. */
  function readEarlier(): void {
    const element = scroller.current;
    if (element) {
      element.scrollTop = 0;
      stood.current = standing(element, rows);
    }
    setLeftAt((before) => before ?? newest);
    open.readEarlier();
  }

  function follow(): void {
    setLeftAt(null);
    // The pressed button disappears, so the log takes the focus.
    scroller.current?.focus();
  }

  // Announce the number of matches when the search is complete, but not again for each new line.
  const count = useRef(0);
  useEffect(() => {
    count.current = lines.length;
  });
  const isThrough = isFiltered && open.known && !open.reading;
  useEffect(() => {
    if (isThrough) spoken.set(found(count.current));
  }, [spoken, isThrough, filter]);

  const fresh = leftAt === null ? 0 : countAfter(lines, leftAt);
  const isEmpty = rows.length === 0 && open.known && !open.reading && (isFiltered || !open.problem);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 px-5 py-2">
        <SearchField label="Search the log" placeholder="Search log" value={query} onValue={setQuery} className="flex-1 basis-40" />
        <Starts lines={log.lines} chosen={start} choose={setStart} />
        <span className="text-sm text-dim" data-testid="log-count">
          {countWords(lines.length, log.missing, isFiltered)}
        </span>
        <Button
          look="quiet"
          aria-pressed={following}
          title="Scroll to each new line"
          className={following ? "bg-hover text-text!" : ""}
          onClick={() => setLeftAt(following ? newest : null)}
        >
          Auto-scroll
        </Button>
        <CopyButton icon what="the lines" text={() => asText(lines)} />
        <SaveLog member={member} filter={filter} empty={lines.length === 0} />
      </div>
      <Earlier open={open} isFiltered={isFiltered} onRead={readEarlier} onGone={() => scroller.current?.focus()} />
      <div className="relative min-h-40 flex-1 border-t border-line short:min-h-[80vh]">
        <div
          ref={scroller}
          onScroll={onScroll}
          role="log"
          // Log output is shown from left to right in every language, as in a terminal.
          dir="ltr"
          aria-live="off"
          aria-label={`Log of ${member}`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the Tab stop lets keyboard users scroll the log
          tabIndex={0}
          data-testid="log"
          data-viewport
          className="absolute inset-0 overflow-auto py-1 font-mono text-sm select-text"
        >
          {!open.known && <Reading what="the log" className="px-5 py-2 font-sans" />}
          {isEmpty && (
            <div data-testid="log-empty" className="font-sans">
              <EmptyState icon="terminal" title={isFiltered ? "No matching lines" : "No log output yet"} />
            </div>
          )}
          <div className="relative w-max min-w-full" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index];
              if (!row) return null;
              return (
                <div
                  key={item.key}
                  className="absolute top-0 start-0 flex w-max min-w-full gap-3 px-5 leading-[18px] whitespace-pre"
                  style={{ height: LINE_PX, transform: `translateY(${item.start}px)` }}
                >
                  <RowText row={row} />
                </div>
              );
            })}
          </div>
        </div>
        {!following && (
          <Button look="accent" className="absolute end-5 bottom-3" onClick={follow}>
            <Sign of="down" />
            {fresh > 0 ? counted(fresh, { one: "new line", other: "new lines" }) : "Latest"}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The number of shown lines, and the number of lines that were skipped because they arrived too fast. */
function countWords(count: number, missing: number, isFiltered: boolean): string {
  const all = isFiltered ? found(count) : counted(count, { one: "line", other: "lines" });
  return missing === 0 ? all : `${all} (${number(missing)} skipped)`;
}

function standing(element: HTMLElement, rows: readonly Row[]) {
  const top = element.scrollTop;
  const index = Math.floor(top / LINE_PX);
  const row = rows[index];
  return { key: row ? keyOf(row) : null, rest: top - index * LINE_PX, top };
}

function RowText({ row }: { row: Row }) {
  if (row.kind === "line") {
    return (
      <>
        <Tooltip text={moment(row.line.atMs)}><span className="text-faint select-none">{clock(row.line.atMs)}</span></Tooltip>
        <span>{textOf(row.line)}</span>
      </>
    );
  }
  if (row.kind === "start") {
    return <span className="font-sans text-dim select-none"><Sign of="chevronRight" className="me-1" />Run {row.start}, {moment(row.atMs)}</span>;
  }
  return <span className="font-sans text-warn select-none"><Sign of="warning" className="me-1" />{counted(row.missing, { one: "line", other: "lines" })} missing here</span>;
}

/** A select that limits the log to the lines of one run of the member. */
function Starts(props: { lines: readonly LogLine[]; chosen: number | null; choose: (start: number | null) => void }) {
  const last = props.lines.at(-1)?.start ?? 0;
  if (last <= 1 && props.chosen === null) return null;
  const starts = Array.from({ length: Math.min(last, STARTS_MAX) }, (_, index) => last - index);
  return (
    <Select
      aria-label="Run"
      value={props.chosen === null ? "" : String(props.chosen)}
      options={[{ value: "", label: "All runs" }, ...starts.map((start) => ({ value: String(start), label: start === last ? `Run ${start} (latest)` : `Run ${start}` }))]}
      onValue={(value) => props.choose(value === "" ? null : Number(value))}
    />
  );
}

interface EarlierProps {
  open: OpenLog;
  isFiltered: boolean;
  onRead: () => void;
  /** Called when the button is removed while it has the focus. */
  onGone: () => void;
}

/** Errors and progress of loading earlier lines, and the button that loads them. */
function Earlier({ open, isFiltered, onRead, onGone }: EarlierProps) {
  const slow = useSlow(open.reading);
  const { problem } = open;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 px-5 text-sm text-dim" data-testid="earlier">
      <p role="status" data-code={problem?.code} className="text-warn empty:hidden">
        {problem && (
          <>
            <Sign of="warning" className="me-1" />
            {problem.message} <ErrorCode code={problem.code} /> {problem.hint}
          </>
        )}
      </p>
      {open.isFull && (
        <p>Showing the last {number(HELD_MAX)} lines. Download the log to get all of them.</p>
      )}
      {slow && (
        <span>
          {isFiltered ? `Searching earlier lines, ${Math.round(open.share * 100)}% done` : "Loading earlier lines…"}
        </span>
      )}
      {(open.hasEarlier || slow) && (
        <EarlierButton
          word={slow ? (isFiltered ? "Stop searching" : "Stop loading") : problem ? "Try again" : isFiltered ? "Search earlier lines" : "Load earlier lines"}
          unavailable={open.reading && !slow ? "Loading…" : undefined}
          onPress={slow ? open.stop : onRead}
          onGone={onGone}
        />
      )}
    </div>
  );
}

/** One button both loads earlier lines and stops the loading, so that it keeps the focus. */
function EarlierButton({ word, unavailable, onPress, onGone }: { word: string; unavailable: string | undefined; onPress: () => void; onGone: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const gone = useRef(onGone);
  useLayoutEffect(() => {
    gone.current = onGone;
  });
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element !== null && element === document.activeElement) gone.current();
    };
  }, []);
  return (
    <Button ref={button} look="quiet" className="-ms-2.5 mb-1" unavailable={unavailable} onClick={onPress}>
      {word}
    </Button>
  );
}
