/* eslint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus --
   rows are no Tab stops: the grid has the focus, and its keys move the active one */
/** Many rows of the same columns, with one Tab stop; only what is on the screen is on the page. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { rangeWith } from "../parts/rangeWith";

const ROW_PX = 28;

export interface Column<R> {
  readonly title: string;
  /** The same classes for the head and each cell: width, and where it is left out. */
  readonly look: string;
  readonly cell: (row: R) => ReactNode;
}

interface Props<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly columns: readonly Column<R>[];
  /** What the keys do, in words. */
  readonly keys: string;
  /** A key pressed on the active row; says whether it meant something. */
  readonly onKey: (row: R, key: string) => boolean;
  readonly onPress?: (row: R) => void;
  /** The row that lies open beside. */
  readonly opened?: string | null;
  /** What one reads stays where it is when rows join at the top. */
  readonly anchored?: boolean;
  readonly testId?: string;
}

export function RowGrid<R>({ label, rows, keyOf, columns, keys, onKey, onPress, opened = null, anchored = false, testId }: Props<R>) {
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<{ key: string | null; index: number }>({ key: null, index: 0 });
  const places = useMemo(() => new Map(rows.map((row, index) => [keyOf(row), index])), [rows, keyOf]);
  const found = cursor.key === null ? -1 : (places.get(cursor.key) ?? -1);
  // The place of a row that has gone is the next one's.
  const active = Math.min(found >= 0 ? found : cursor.index, rows.length - 1);
  if (found >= 0 && found !== cursor.index) setCursor({ key: cursor.key, index: found });

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    rangeExtractor: useMemo(() => rangeWith(active), [active]),
    overscan: 8,
    // The head stands above the rows and stays there.
    scrollMargin: ROW_PX,
    scrollPaddingStart: ROW_PX,
    useFlushSync: false,
    initialRect: { width: 900, height: 400 },
  });

  const top = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    const first = rows[0];
    const before = top.current;
    top.current = first === undefined ? null : keyOf(first);
    if (!anchored || !element || before === null || element.scrollTop < ROW_PX) return;
    const joined = places.get(before) ?? 0;
    if (joined > 0) element.scrollTop += joined * ROW_PX;
  }, [anchored, rows, keyOf, places]);

  const moveTo = (index: number) => {
    const to = Math.min(rows.length - 1, Math.max(0, index));
    const row = rows[to];
    if (row === undefined) return;
    setCursor({ key: keyOf(row), index: to });
    virtual.scrollToIndex(to, { align: "auto" });
  };

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== scroller.current) {
      // From a control inside a row, Esc comes back to the rows.
      if (event.key !== "Escape") return;
      event.preventDefault();
      scroller.current?.focus();
      return;
    }
    const page = Math.max(1, Math.floor(scroller.current.clientHeight / ROW_PX) - 2);
    const moves: Partial<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      moveTo(move);
      return;
    }
    const row = rows[active];
    if (row !== undefined && onKey(row, event.key)) event.preventDefault();
  }

  const rowId = (index: number) => `${prefix}-row-${index}`;
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={active >= 0 ? rowId(active) : undefined}
        aria-describedby={`${prefix}-keys`}
        tabIndex={0}
        data-viewport
        data-testid={testId}
        onKeyDown={onKeyDown}
        className="min-h-40 flex-1 overflow-x-hidden overflow-y-auto outline-none focus-visible:outline-2"
      >
        <div role="rowgroup" className="sticky top-0 z-10 bg-bg">
          <div role="row" aria-rowindex={1} className="flex items-center gap-3 border-b border-line px-3 text-sm text-dim" style={{ height: ROW_PX }}>
            {columns.map(({ title, look }) => (
              <span key={title} role="columnheader" className={`truncate ${look}`}>{title}</span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() - ROW_PX }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const own = keyOf(row);
            const look = own === opened ? "bg-selected" : index === active ? "bg-hover" : "hover:bg-hover";
            return (
              <div
                key={key}
                id={rowId(index)}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={own === opened}
                onClick={() => {
                  setCursor({ key: own, index });
                  onPress?.(row);
                }}
                className={`absolute top-0 left-0 flex w-full items-center gap-3 border-l-2 px-3 whitespace-nowrap ${
                  index === active ? "border-accent" : "border-transparent"
                } ${look}`}
                style={{ height: ROW_PX, transform: `translateY(${start - ROW_PX}px)` }}
              >
                {columns.map((column) => (
                  <span key={column.title} role="gridcell" className={`truncate ${column.look}`}>{column.cell(row)}</span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      <p id={`${prefix}-keys`} className="sr-only">{keys}</p>
    </div>
  );
}
