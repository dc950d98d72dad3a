/** The servers of a source as one virtual list with one Tab stop; rows are asked for as one scrolls. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";

import { useHouse } from "../../app/house";
import type { RegistrySource } from "../../bridge/bindings";
import { useStore } from "../../hall/store";
import { isFocusNowhere } from "../../parts/focus";
import { rangeWith } from "../../parts/rangeWith";
import { Reading } from "../../parts/Reading";
import { Trouble } from "../../parts/Trouble";
import { counted } from "../../words/format";
import { LeftOut } from "./LeftOut";
import { Row, ROW_PX } from "./Row";

const servers = (count: number) => counted(count, { one: "server", other: "servers" });

/** How long the typing has to rest before it is searched. */
const REST_MS = 120;
/** So many rows beyond those that are seen are asked for. */
const AHEAD = 30;
/** The longest search that is sent. */
const QUERY_MAX = 200;

export function ServerList({ source }: { source: RegistrySource }) {
  const { registry } = useHouse();
  const { query, page, rows, trouble } = useStore(registry.search, (now) => now);
  const looked = useStore(registry.looked, (now) => now?.server ?? null);
  const [text, setText] = useState(query);
  const scroller = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const total = page?.total ?? 0;
  const [cursor, setCursor] = useState(0);
  const active = Math.min(cursor, total - 1);

  useEffect(() => {
    if (text === registry.search.get().query) return undefined;
    const timer = setTimeout(() => {
      setCursor(0);
      if (scroller.current) scroller.current.scrollTop = 0;
      registry.find(text);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [registry, text]);

  // The server that is put away takes its button along; one is then where it was opened.
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(looked);
  useEffect(() => {
    if (before.current !== null && looked === null && isFocusNowhere()) (scroller.current ?? field.current)?.focus();
    before.current = looked;
  }, [looked]);

  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    rangeExtractor: useMemo(() => rangeWith(active), [active]),
    overscan: 6,
    useFlushSync: false,
    initialRect: { width: 600, height: 400 },
  });
  const items = virtual.getVirtualItems();
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 0;
  useEffect(() => {
    registry.need(Math.max(0, first - AHEAD), last + AHEAD);
    if (active >= 0) registry.need(active, active);
  }, [registry, page, first, last, active]);

  const moveTo = (index: number) => {
    const to = Math.min(total - 1, Math.max(0, index));
    setCursor(to);
    if (to >= 0) virtual.scrollToIndex(to, { align: "auto" });
  };
  const open = (index: number) => {
    const row = rows.get(index);
    setCursor(index);
    if (row) void registry.look(row.server);
  };
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1);
    const keys: Partial<Record<string, () => void>> = {
      ArrowDown: () => moveTo(active + 1),
      ArrowUp: () => moveTo(active - 1),
      PageDown: () => moveTo(active + step),
      PageUp: () => moveTo(active - step),
      Home: () => moveTo(0),
      End: () => moveTo(total - 1),
      Enter: () => open(active),
      " ": () => open(active),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  const rowId = (index: number) => `${prefix}-server-${index}`;
  const isUnread = source.asOfMs === null;
  return (
    <section aria-label="Listed servers" className="flex min-h-52 min-w-0 flex-1 flex-col gap-2 @3xl:max-w-[44%]">
      <div role="search" aria-label="Listed servers" className="flex flex-wrap items-center gap-2">
        <input
          ref={field}
          type="search"
          aria-label="Search by name, title or description"
          placeholder="Name, title or description…"
          autoComplete="off"
          spellCheck={false}
          maxLength={QUERY_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            scroller.current?.focus();
          }}
          className="h-6 min-w-32 flex-1 rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
        />
        <span role="status" className="text-sm text-dim" data-testid="registry-count">
          {page && !isUnread && (total === 0 ? "None has these words." : servers(total))}
        </span>
      </div>
      {trouble && <Trouble report={trouble} testid="registry-trouble" />}
      {page && <LeftOut entries={page.leftOut} count={page.leftOutCount} />}
      {!page && !trouble && <Reading what="what it lists" className="" />}
      {page && isUnread && <p className="text-dim">Nothing is known of it yet: read it first.</p>}
      {total > 0 && (
        <div
          ref={scroller}
          role="listbox"
          aria-label="Listed servers"
          aria-activedescendant={active >= 0 ? rowId(active) : undefined}
          tabIndex={0}
          data-viewport
          data-testid="registry-list"
          onKeyDown={onKeyDown}
          className="min-h-0 flex-1 basis-52 scant:max-h-[80vh] overflow-x-hidden overflow-y-auto rounded-sm border border-line"
        >
          <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
            {items.map((item) => {
              const row = rows.get(item.index);
              return (
                <Row
                  key={item.key}
                  id={rowId(item.index)}
                  row={row ?? null}
                  top={item.start}
                  place={item.index + 1}
                  among={total}
                  active={item.index === active}
                  opened={row !== undefined && row.server === looked}
                  onPress={() => open(item.index)}
                />
              );
            })}
          </div>
        </div>
      )}
    </section>
  );
}
