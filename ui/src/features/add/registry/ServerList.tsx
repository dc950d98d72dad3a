/** The search results of a registry, as a list with a single Tab stop. */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import { useStore } from "../../../lib/store";
import { SearchField } from "../../../components/SearchField";
import { Button } from "../../../components/Button";
import { isFocusNowhere } from "../../../lib/focus";
import { ErrorReport } from "../../../components/ErrorReport";
import { useGoing } from "../../../lib/useGoing";
import { counted } from "../../../lib/format";
import { rowForKey, rowsInView } from "../../../lib/listKeys";
import { useFirstField } from "../frame";
import { LeftOut } from "./LeftOut";
import { ROWS_MAX, useRegistryStore } from "./registryStore";
import { Row, ROW_PX } from "./Row";

/** The time without typing after which a search request is sent. */
const REST_MS = 300;
/** The maximum length of a search text. */
const QUERY_MAX = 200;

export function ServerList() {
  const registry = useRegistryStore();
  const { query, source, rows, next, leftOut, leftOutCount, trouble, call, cancelled } = useStore(registry.search, (now) => now);
  const looked = useStore(registry.looked, (now) => now?.server ?? null);
  const [text, setText] = useState(query);
  const field = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const [cursor, setCursor] = useState(0);
  const active = Math.min(cursor, rows.length - 1);
  useFirstField(field);
  useEffect(() => {
    if (text === registry.search.get().query) return undefined;
    const timer = setTimeout(() => {
      setCursor(0);
      if (scroller.current) scroller.current.scrollTop = 0;
      registry.find(text);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [registry, text]);

  // When the details close, their Back button is removed. The focus then moves to the list.
  const before = useRef(looked);
  useEffect(() => {
    if (before.current !== null && looked === null && isFocusNowhere()) (scroller.current ?? field.current)?.focus();
    before.current = looked;
  }, [looked]);
  const isBusy = call !== null;
  const leavesCancel = useGoing(isBusy, () => field.current);
  const canRepeat = cancelled || trouble !== null;
  const leavesRepeat = useGoing(canRepeat, () => field.current);
  const hasMore = next !== null && rows.length < ROWS_MAX;
  const leavesMore = useGoing(hasMore, () => scroller.current ?? field.current);

  const rowId = (index: number) => `${prefix}-server-${index}`;
  const open = (index: number) => {
    const row = rows[index];
    setCursor(index);
    if (row) void registry.look(row.server);
  };
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = rowForKey(event.key, active, rows.length, rowsInView(scroller.current, ROW_PX));
    if (to !== undefined) {
      setCursor(to);
      document.getElementById(rowId(to))?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" || event.key === " ") open(active);
    else return;
    event.preventDefault();
  }
  const found = rows.length === 0 && !hasMore ? "No matching servers" : `${counted(rows.length, { one: "server", other: "servers" })}${next === null ? "" : " so far"}`;
  return (
    <section aria-label="Listed servers" className="flex min-h-52 min-w-0 flex-1 flex-col gap-2">
      <div role="search" aria-label="Listed servers" className="flex flex-wrap items-center gap-2">
        <SearchField
          ref={field}
          label="Search servers"
          placeholder="Search servers…"
          maxLength={QUERY_MAX}
          value={text}
          onValue={setText}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            scroller.current?.focus();
          }}
          className="min-w-32 flex-1"
        />
        <span role="status" className="text-sm text-dim" data-testid="registry-count">
          {isBusy ? "Searching…" : cancelled ? "Search stopped" : source && !trouble && found}
        </span>
        {isBusy && (
          <Button
            onClick={() => {
              leavesCancel();
              registry.cancel();
            }}
          >
            Stop
          </Button>
        )}
      </div>
      {trouble && <ErrorReport report={trouble} testid="registry-trouble" />}
      {canRepeat && (
        <div>
          <Button
            onClick={() => {
              leavesRepeat();
              registry.find(query);
            }}
          >
            Search again
          </Button>
        </div>
      )}
      <LeftOut entries={leftOut} count={leftOutCount} />
      {rows.length > 0 && (
        <div
          ref={scroller}
          role="listbox"
          aria-label="Listed servers"
          aria-activedescendant={rowId(active)}
          tabIndex={0}
          data-viewport
          data-testid="registry-list"
          onKeyDown={onKeyDown}
          className="min-h-0 flex-1 basis-52 scant:max-h-[80vh] overflow-x-hidden overflow-y-auto rounded-sm border border-line"
        >
          {rows.map((row, index) => (
            <Row
              key={`${index} ${row.server}`}
              id={rowId(index)}
              row={row}
              active={index === active}
              opened={row.server === looked}
              onPress={() => open(index)}
            />
          ))}
        </div>
      )}
      {hasMore && (
        <div>
          <Button
            unavailable={isBusy ? "Searching…" : undefined}
            onClick={() => {
              leavesMore();
              registry.more();
            }}
          >
            Show more servers
          </Button>
        </div>
      )}
      {next !== null && rows.length >= ROWS_MAX && <p data-testid="registry-limit" className="text-sm text-dim">More servers match. Refine your search.</p>}
    </section>
  );
}
