/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- rows are not
   Tab stops: the grid has the focus, and the arrow keys change the active row */
/** A virtualized table with one Tab stop: only the visible rows are in the DOM. */
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
  /** CSS classes of the header cell and of each cell: the width, and the grid widths at which the column is hidden. */
  readonly look: string;
  readonly cell: (row: R) => ReactNode;
  /** The content of a cell that spans this column and all later ones; `null` for a row with separate cells. */
  readonly rest?: (row: R) => ReactNode;
}

/** CSS classes of a cell that spans the remaining columns. The cell fills the rest of the row. */
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

/** The selection of several rows. Space selects a row, Shift with an arrow key selects a range, Ctrl+A selects all. */
interface Choosing<R> {
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
  /** Whether a row can be selected. */
  readonly can: (row: R) => boolean;
}

interface Props<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly columns: readonly Column<R>[];
  /** A description of the row shortcuts for screen readers, such as "Enter opens the tool.". */
  readonly keys: string;
  /** Handles a key on the active row. Returns whether the key was handled. */
  readonly onKey: (row: R, key: string) => boolean;
  readonly onPress?: (row: R) => void;
  /** The key of the row whose details are open beside the grid. The grid highlights this row. */
  readonly opened?: string | null;
  /** The selection; `undefined` for a table whose rows cannot be selected. */
  readonly choosing?: Choosing<R>;
  /** Whether the visible rows keep their position on the screen when rows are added at the top. */
  readonly anchored?: boolean;
  /** Stores the key of the active row, so that a grid that is mounted again starts at this row. */
  readonly keptIn?: Store<string | null>;
  readonly testId?: string;
}

/** The image of a check box. Screen readers ignore the image and get the state from the row. */
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
  // If the active row was removed, the row that is now at its index becomes active.
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
    // The rows begin below the sticky header, which is as high as a row.
    scrollMargin: ROW_PX,
    scrollPaddingStart: ROW_PX,
    useFlushSync: false,
    initialRect: { width: 900, height: 400 },
  });

  useEffect(() => keptIn?.set(cursor.key), [keptIn, cursor.key]);
  // A grid that is mounted again scrolls to the stored active row.
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
    // At the top, the grid shows the added rows. But while the pointer is over the grid, no row moves, because the
    // user may be about to click.
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

  /** The key of the row at which a selected range starts. */
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
  // A page has one row less than fits into the grid, because the sticky header covers one row.
  const rowTo = (key: string) => rowForKey(key, active, rows.length, rowsInView(scroller.current, ROW_PX) - 1);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target === scroller.current && chooses(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== scroller.current) {
      // Esc in a control inside a row returns the focus to the grid.
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
                  // A click with Shift selects rows. Without this line, the browser would also select text.
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
                  // The whole cell handles the click, because it is a larger target than the check box.
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
