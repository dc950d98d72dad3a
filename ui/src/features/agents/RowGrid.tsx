/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- rows are not
   Tab stops: the grid has the focus, and its keys move the active one */
/** A table of many rows with one Tab stop. Only the rows in sight are in the document. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import type { Store } from "../../lib/store";
import { Icon } from "../../components/Icon";
import { rowForKey, rowsInView } from "../../lib/listKeys";
import { rangeWith } from "../../lib/rangeWith";
import { SIGNS } from "../../components/signs";

const ROW_PX = 40;

export interface Column<R> {
  readonly title: string;
  /** Whether only screen readers get the title. */
  readonly quiet?: boolean;
  /** The same classes for the head and each cell: width, and where it is left out. */
  readonly look: string;
  readonly cell: (row: R) => ReactNode;
  /** Content that spans this column and all after it; `null` for a row with its own columns. */
  readonly rest?: (row: R) => ReactNode;
}

/** The width of a cell that spans the remaining columns: it fills the rest of the row. */
const REST_LOOK = "min-w-44 flex-[2]";

function cellsOf<R>(columns: readonly Column<R>[], row: R): ReactNode[] {
  const cells: ReactNode[] = [];
  for (const [index, { title, look, cell, rest }] of columns.entries()) {
    const wide = rest?.(row) ?? null;
    if (wide !== null) {
      cells.push(<span key={title} role="gridcell" aria-colspan={columns.length - index} className={`truncate ${REST_LOOK}`}>{wide}</span>);
      break;
    }
    cells.push(<span key={title} role="gridcell" className={`truncate ${look}`}>{cell(row)}</span>);
  }
  return cells;
}

/** Selecting several rows: Space for one, with Shift a range, Ctrl+A for all. */
interface Choosing<R> {
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
  /** Whether a row can be chosen. */
  readonly can: (row: R) => boolean;
}

interface Props<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly columns: readonly Column<R>[];
  /** The keys of a row, in words. */
  readonly keys: string;
  /** Handles a key on the active row. Returns whether it has a meaning. */
  readonly onKey: (row: R, key: string) => boolean;
  readonly onPress?: (row: R) => void;
  /** The row that is open beside the grid. */
  readonly opened?: string | null;
  /** The selected rows, in a table with selection. */
  readonly choosing?: Choosing<R>;
  /** Keeps the rows in their place when others join at the top. */
  readonly anchored?: boolean;
  /** Stores the active row for when the user returns. */
  readonly keptIn?: Store<string | null>;
  readonly testId?: string;
}

/** The mark of a check box. The row has the state. */
export function Box({ on, className = "" }: { on: boolean; className?: string }) {
  return (
    <span aria-hidden className={`inline-flex size-4 items-center justify-center rounded-xs border align-[-3px] ${on ? "border-solid bg-solid text-solid-text" : "border-control"} ${className}`}>
      {on && <Icon of={SIGNS.check} size={12} />}
    </span>
  );
}

export function RowGrid<R>({ label, rows, keyOf, columns, keys, onKey, onPress, opened = null, choosing, anchored = false, keptIn, testId }: Props<R>) {
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<{ key: string | null; index: number }>(() => ({ key: keptIn?.get() ?? null, index: 0 }));
  const places = useMemo(() => new Map(rows.map((row, index) => [keyOf(row), index])), [rows, keyOf]);
  const found = cursor.key === null ? -1 : (places.get(cursor.key) ?? -1);
  // The next row takes the place of a removed one.
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
    // The sticky header is above the rows.
    scrollMargin: ROW_PX,
    scrollPaddingStart: ROW_PX,
    useFlushSync: false,
    initialRect: { width: 900, height: 400 },
  });

  useEffect(() => keptIn?.set(cursor.key), [keptIn, cursor.key]);
  // Scroll to the active row when the user returns.
  const cameBack = useRef(found);
  useLayoutEffect(() => {
    if (cameBack.current > 0) virtual.scrollToIndex(cameBack.current, { align: "center" });
    cameBack.current = -1;
  }, [virtual]);

  const top = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    const first = rows[0];
    const before = top.current;
    top.current = first === undefined ? null : keyOf(first);
    // At the top the newest rows come into sight, unless the pointer is about to click one of the others.
    if (!anchored || !element || before === null || (element.scrollTop < ROW_PX && !element.matches(":hover"))) return;
    const joined = places.get(before) ?? 0;
    if (joined > 0) element.scrollTop += joined * ROW_PX;
  }, [anchored, rows, keyOf, places]);

  const moveTo = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setCursor({ key: keyOf(row), index });
    virtual.scrollToIndex(index, { align: "auto" });
  };

  /** The first row of a selected range. */
  const anchor = useRef<string | null>(null);
  const toggle = (row: R, index: number) => {
    if (!choosing?.can(row)) return;
    const key = keyOf(row);
    const next = new Set(choosing.chosen);
    if (!next.delete(key)) next.add(key);
    anchor.current = key;
    setCursor({ key, index });
    choosing.onChosen(next);
  };
  const chooseTo = (to: number) => {
    if (!choosing) return;
    const from = (anchor.current === null ? undefined : places.get(anchor.current)) ?? active;
    const first = rows[from];
    if (first === undefined) return;
    anchor.current = keyOf(first);
    const run = rows.slice(Math.min(from, to), Math.max(from, to) + 1).filter(choosing.can);
    choosing.onChosen(new Set(run.map(keyOf)));
    moveTo(to);
  };
  const chooses = (event: KeyboardEvent): boolean => {
    if (!choosing || event.altKey) return false;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "a" || event.shiftKey) return false;
      choosing.onChosen(new Set(rows.filter(choosing.can).map(keyOf)));
      return true;
    }
    if (event.key === "Escape") {
      if (choosing.chosen.size === 0) return false;
      choosing.onChosen(new Set());
      return true;
    }
    const row = rows[active];
    if (event.key === " " && row !== undefined) {
      if (event.shiftKey) chooseTo(active);
      else toggle(row, active);
      return true;
    }
    const to = event.shiftKey ? rowTo(event.key) : undefined;
    if (to === undefined) return false;
    chooseTo(to);
    return true;
  };
  // One row less than is in view, because of the sticky header.
  const rowTo = (key: string) => rowForKey(key, active, rows.length, rowsInView(scroller.current, ROW_PX) - 1);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target === scroller.current && chooses(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== scroller.current) {
      // Esc in a control of a row returns to the rows.
      if (event.key !== "Escape") return;
      event.preventDefault();
      scroller.current?.focus();
      return;
    }
    const move = rowTo(event.key);
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
        aria-multiselectable={choosing !== undefined}
        aria-describedby={`${prefix}-keys`}
        tabIndex={0}
        data-viewport
        data-testid={testId}
        onKeyDown={onKeyDown}
        className="min-h-40 flex-1 scant:max-h-[80vh] scant:min-h-0 overflow-x-hidden overflow-y-auto"
      >
        <div role="rowgroup" className="sticky top-0 z-10 bg-bg">
          <div role="row" aria-rowindex={1} className="flex items-center gap-3 border-b border-line px-5 text-sm text-dim" style={{ height: ROW_PX }}>
            {choosing && <span role="columnheader" className="w-4 shrink-0"><span className="sr-only">Selected</span></span>}
            {columns.map(({ title, quiet, look }) => (
              <span key={title} role="columnheader" className={`truncate ${look}`}><span className={quiet === true ? "sr-only" : undefined}>{title}</span></span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() - ROW_PX }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const own = keyOf(row);
            const selected = choosing ? choosing.chosen.has(own) : own === opened;
            const look = selected ? "bg-selected" : index === active ? "hover:bg-hover [[role=grid]:focus_&]:bg-hover" : "hover:bg-hover";
            return (
              <div
                key={key}
                id={rowId(index)}
                role="row"
                aria-rowindex={index + 2}
                data-active={index === active}
                aria-selected={choosing && !choosing.can(row) ? undefined : selected}
                onMouseDown={(event) => {
                  // Shift selects rows, not their text.
                  if (choosing && event.shiftKey) event.preventDefault();
                }}
                onClick={(event) => {
                  if (choosing && event.shiftKey) {
                    chooseTo(index);
                    return;
                  }
                  if (choosing && (event.ctrlKey || event.metaKey)) {
                    toggle(row, index);
                    return;
                  }
                  setCursor({ key: own, index });
                  onPress?.(row);
                }}
                className={`group/row absolute top-0 start-0 flex w-full items-center gap-3 border-b border-line px-5 whitespace-nowrap ${
                  index === active ? "[[role=grid]:focus_&]:shadow-[inset_2px_0_var(--accent)]" : ""
                } ${look}`}
                style={{ height: ROW_PX, transform: `translateY(${start - ROW_PX}px)` }}
              >
                {choosing && (
                  // The whole cell takes the click, which is a larger target than its mark.
                  <span
                    role="gridcell"
                    className="w-4 shrink-0 cursor-default text-center"
                    onClick={(event) => {
                      if (event.shiftKey || event.ctrlKey || event.metaKey) return;
                      event.stopPropagation();
                      toggle(row, index);
                    }}
                  >
                    {choosing.can(row) && <Box on={selected} className={choosing.chosen.size === 0 ? "invisible group-hover/row:visible [[role=grid]:focus_[data-active=true]_&]:visible" : ""} />}
                  </span>
                )}
                {cellsOf(columns, row)}
              </div>
            );
          })}
        </div>
      </div>
      <p id={`${prefix}-keys`} className="sr-only">{keys}</p>
    </div>
  );
}
