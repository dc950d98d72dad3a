/** A table of records with sortable columns. Only the visible rows are rendered. The arrow keys move between cells. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";

import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { IconButton } from "../../../components/IconButton";
import { PART_KEYS } from "../../../lib/keys/actionKeys";
import { isPressed } from "../../../lib/keys/pressing";
import { counted, number } from "../../../lib/format";
import { CodeView } from "../code/CodeView";
import { copyOf } from "../json/pretty";
import { finish } from "../json/steps";
import { kindOf, pointerOf, sourceOf, stringAt } from "../json/tape";
import { useSteps } from "../json/useSteps";
import { SaveButton } from "../SaveButton";
import { cellsOf, cellWords, delimitedSteps, type Order, orderSteps, type Records } from "./records";

const rowsWords = (count: number) => counted(count, { one: "row", other: "rows" });

const ROW_PX = 22;
const ROWS_SHOWN = 24;

interface Props {
  readonly records: Records;
  readonly root: number;
  readonly label: string;
  readonly fileName: string;
  /** Shows the records in a view with a search field. */
  readonly onFind: () => void;
}

export function RecordTable({ records, root, label, fileName, onFind }: Props) {
  const { tape, columns, widths } = records;
  const prefix = useId();
  const [order, setOrder] = useState<Order | null>(null);
  const [cursor, setCursor] = useState({ row: 0, column: 0 });
  const first = useRef(cursor);
  const scroller = useRef<HTMLDivElement>(null);
  const sort = useMemo(() => () => orderSteps(records, order), [records, order]);
  const rows = useSteps(sort, tape.source.length) ?? records.rows;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    scrollPaddingStart: ROW_PX,
    overscan: 6,
    useFlushSync: false,
    initialRect: { width: 600, height: ROW_PX * ROWS_SHOWN },
  });
  useEffect(() => virtual.scrollToIndex(cursor.row, { align: "auto" }), [cursor.row, virtual]);
  useEffect(() => {
    // Don't scroll before the first move of the cursor, so that a new result is shown from its beginning.
    if (cursor === first.current) return;
    document.getElementById(`${prefix}-${cursor.row}-${cursor.column}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [cursor, prefix]);

  const press = (column: string) =>
    setOrder((held) => (held?.column !== column ? { column, down: false } : held.down ? null : { column, down: true }));
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 2);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isPressed(PART_KEYS.find, event.nativeEvent)) {
      event.preventDefault();
      event.stopPropagation();
      onFind();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const { row, column } = cursor;
    const moves: Partial<Record<string, readonly [number, number]>> = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      PageDown: [row + page, column],
      PageUp: [row - page, column],
      Home: [0, column],
      End: [rows.length - 1, column],
    };
    const to = moves[event.key];
    const name = columns[column];
    if (to) {
      setCursor({
        row: Math.min(rows.length - 1, Math.max(0, to[0])),
        column: Math.min(columns.length - 1, Math.max(0, to[1])),
      });
    } else if (event.key === "s" && name !== undefined) press(name);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const firstCells = cellsOf(tape, records.rows[0] ?? 0);
  const isNumber = (node: number | undefined) => node !== undefined && kindOf(tape, node) === "number";
  const template = widths.map((width) => `${width}ch`).join(" ");
  const at = cellsOf(tape, rows[cursor.row] ?? 0).get(columns[cursor.column] ?? "");
  const active = at === undefined ? null : at;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-1 text-sm text-dim">
        <span className="grow">
          {records.under === null ? (
            rowsWords(rows.length)
          ) : (
            <>{rowsWords(rows.length)} of <code className="font-mono">{records.under}</code></>
          )}
          {records.moreColumns > 0 && <span className="text-warn"> <Sign of="warning" className="me-1" />{number(records.moreColumns)} more columns in Tree and CSV</span>}
        </span>
        <CopyButton text={() => finish(delimitedSteps({ tape, rows }, ","))} what="CSV" shown="CSV" />
        <CopyButton text={() => finish(delimitedSteps({ tape, rows }, "\t"))} what="TSV" shown="TSV" />
        <IconButton icon="search" label={`Find in ${label}`} onClick={onFind} />
        <SaveButton what="CSV" name={`${fileName}.csv`} text={() => finish(delimitedSteps({ tape, rows }, ","))} />
      </div>
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={`${prefix}-${cursor.row}-${cursor.column}`}
        tabIndex={0}
        data-viewport
        onKeyDown={onKeyDown}
        className="group max-h-[60vh] overflow-auto rounded-sm border border-line pb-2 font-mono text-sm"
      >
        <div role="rowgroup" className="sticky top-0 z-10 min-w-fit border-b border-line bg-sidebar">
          <div role="row" aria-rowindex={1} className="grid" style={{ gridTemplateColumns: template }}>
            {columns.map((column, index) => {
              const sorted = order?.column === column;
              return (
                <div key={column} role="columnheader" aria-colindex={index + 1} aria-sort={sorted ? (order.down ? "descending" : "ascending") : "none"}>
                  <button type="button" className={`h-5.5 w-full truncate px-1 font-sans text-dim hover:text-text ${isNumber(firstCells.get(column)) ? "text-end" : "text-start"}`} onClick={() => press(column)}>
                    {column} {sorted && <Sign of={order.down ? "down" : "up"} />}
                  </button>
                </div>
              );
            })}
          </div>
        </div>
        <div role="rowgroup" className="relative min-w-fit" style={{ height: virtual.getTotalSize(), width: `calc(${widths.join("ch + ")}ch)` }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const cells = cellsOf(tape, rows[index] ?? 0);
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className={`absolute top-0 start-0 grid ${index === cursor.row ? "bg-hover" : ""}`}
                style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template, height: ROW_PX }}
              >
                {columns.map((column, at) => {
                  const node = cells.get(column);
                  const here = index === cursor.row && at === cursor.column;
                  return (
                    // The grid handles the keys, because it has the focus. Its cells are never focused.
                    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                    <div
                      key={column}
                      id={`${prefix}-${index}-${at}`}
                      role="gridcell"
                      aria-colindex={at + 1}
                      aria-selected={here}
                      onClick={() => setCursor({ row: index, column: at })}
                      className={`truncate px-1 leading-[22px] ${here ? "bg-selected outline-1 -outline-offset-1 outline-accent" : ""} ${
                        isNumber(node) ? "text-end" : ""
                      }`}
                    >
                      {node === undefined ? <span className="text-faint">–</span> : cellWords(tape, node)}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
      <section aria-label="cell" className="text-sm">
        <header className="flex items-center gap-1 text-dim">
          <code className="min-w-0 flex-1 truncate font-mono">
            {active === null ? `${columns[cursor.column] ?? ""}: no value` : pointerOf(tape, active, root)}
          </code>
          {active !== null && <CopyButton text={() => pointerOf(tape, active, root)} what="path" shown="Path" />}
          {active !== null && <CopyButton text={() => copyOf(tape, active)} what="cell" />}
          {order !== null && <Button look="quiet" className="h-5" onClick={() => setOrder(null)}>Original order</Button>}
        </header>
        {active !== null && <CodeView text={kindOf(tape, active) === "string" ? stringAt(tape, active) : sourceOf(tape, active)} label="cell" />}
      </section>
    </div>
  );
}
