/** A virtualized list of past calls with one Tab stop. Scrolling down reads older pages. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from "react";

import type { EntryId, HistoryEntry, HistoryFilter } from "../../ipc/bindings";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { rowForKey, rowsInView } from "../../lib/listKeys";
import { rangeWith } from "../../lib/rangeWith";
import { useNow } from "../../lib/useNow";
import { counted } from "../../lib/format";
import { toTheMinute } from "../../lib/time";
import { useCallHistory } from "./callHistory";
import { placeOf } from "./callLog";
import { CallRow, COLUMNS, ROW_PX } from "./CallRow";
import { sameFilter } from "./filter";

/** The next page is requested when the user is within this number of rows of the end. */
const AHEAD = 60;
/** The interval at which the list checks whether a new day has begun. */
const DAY_CHECK_MS = 60_000;

interface Props {
  /** The calls without those that the user has just deleted. */
  readonly entries: readonly HistoryEntry[];
  readonly list: RefObject<HTMLDivElement | null>;
}

export function CallList({ entries, list: scroller }: Props) {
  const history = useCallHistory();
  const { log } = history;
  const { filter, more, reading, read } = useStore(log.pages, (pages) => pages);
  const opened = useStore(history.opened, (id) => id);
  const selected = useStore(history.selected, (all) => all);
  const ids = useMemo(() => new Set(selected.map(({ id }) => id)), [selected]);
  const today = toTheMinute(useNow(DAY_CHECK_MS)).slice(0, "2026-11-21".length);
  const prefix = useId();
  const [cursor, setCursor] = useState<{ id: EntryId | null; index: number }>({ id: null, index: 0 });
  const found = cursor.id === null ? -1 : placeOf(entries, cursor.id);
  // If the active row was removed, the row that is now at its index becomes active.
  const active = Math.min(found >= 0 ? found : cursor.index, entries.length - 1);
  if (found >= 0 && found !== cursor.index) setCursor({ id: cursor.id, index: found });

  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => entries[index]?.id ?? index,
    rangeExtractor: useMemo(() => rangeWith(active), [active]),
    overscan: 10,
    useFlushSync: false,
    initialRect: { width: 900, height: 400 },
  });
  const items = virtual.getVirtualItems();

  // The user can approach the end by scrolling or by moving the active row.
  const farthest = Math.max(virtual.range?.endIndex ?? 0, active);
  useEffect(() => {
    if (more && reading === null && farthest >= entries.length - AHEAD) void log.older();
  }, [log, more, reading, farthest, entries.length]);

  // When calls are added at the top, the visible calls keep their position on the screen.
  const top = useRef<{ filter: HistoryFilter; id: EntryId | null }>({ filter, id: null });
  const [fresh, setFresh] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    const before = top.current;
    const id = entries[0]?.id ?? null;
    top.current = { filter, id };
    if (!element) return;
    if (!sameFilter(before.filter, filter)) {
      // After a change of the filter, the calls at the top are not new, so the list starts at the top.
      setFresh(0);
      element.scrollTop = 0;
      return;
    }
    if (before.id === null || before.id === id || element.scrollTop < ROW_PX) return;
    const joined = placeOf(entries, before.id);
    if (joined <= 0) return;
    element.scrollTop += joined * ROW_PX;
    setFresh((count) => count + joined);
  }, [scroller, filter, entries]);

  const moveTo = (index: number) => {
    const entry = entries[index];
    if (!entry) return;
    setCursor({ id: entry.id, index });
    virtual.scrollToIndex(index, { align: "auto" });
  };
  const open = useCallback(
    (entry: HistoryEntry) => {
      setCursor((held) => ({ ...held, id: entry.id }));
      history.open(entry.id);
    },
    [history],
  );
  const select = useCallback(
    (entry: HistoryEntry) => {
      setCursor((held) => ({ ...held, id: entry.id }));
      history.toggleSelected(entry);
    },
    [history],
  );

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const entry = entries[active];
    if (!entry) return;
    const to = rowForKey(event.key, active, entries.length, rowsInView(scroller.current, ROW_PX));
    if (to !== undefined) moveTo(to);
    else if (event.key === "Enter") open(entry);
    else if (event.key === " ") select(entry);
    else if (event.key !== "Delete") return;
    else if (!event.repeat) history.remove(ids.has(entry.id) ? selected : [entry]);
    event.preventDefault();
  }

  const rowId = (index: number) => `${prefix}-call-${index}`;
  return (
    <div className="@container relative flex min-h-0 flex-1 flex-col">
      <div aria-hidden className={`h-8 shrink-0 border-b border-line text-sm font-medium text-dim ${COLUMNS}`}>
        <span />
        <span>Tool</span>
        <span className="@max-md:hidden">Arguments</span>
        <span className="@max-2xl:hidden">By</span>
        <span className="text-end @max-md:hidden">When</span>
        <span className="text-end">Took</span>
      </div>
      <div
        ref={scroller}
        role="listbox"
        aria-label="Calls, newest first"
        aria-multiselectable
        aria-busy={reading === "newest" && !read}
        aria-activedescendant={active >= 0 ? rowId(active) : undefined}
        aria-describedby={`${prefix}-keys`}
        tabIndex={0}
        data-testid="history-list"
        data-viewport
        onKeyDown={onKeyDown}
        onScroll={(event) => event.currentTarget.scrollTop < ROW_PX && setFresh(0)}
        className="group/list min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-none"
      >
        <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const entry = entries[item.index];
            return (
              entry && (
                <CallRow
                  key={item.key}
                  id={rowId(item.index)}
                  entry={entry}
                  top={item.start}
                  place={item.index + 1}
                  among={more ? -1 : entries.length}
                  active={item.index === active}
                  opened={entry.id === opened}
                  selected={ids.has(entry.id)}
                  today={today}
                  onPress={open}
                  onSelect={select}
                />
              )
            );
          })}
        </div>
      </div>
      <p id={`${prefix}-keys`} className="sr-only">
        Enter opens a call, Space selects it, Delete deletes it.
      </p>
      {fresh > 0 && (
        <Button look="accent" className="absolute top-2 left-1/2 -translate-x-1/2" onClick={() => moveTo(0)}>
          <Sign of="up" />
          {counted(fresh, { one: "new call", other: "new calls" })}
        </Button>
      )}
    </div>
  );
}
