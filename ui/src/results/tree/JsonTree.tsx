/**
 * A JSON value as a tree: one Tab stop, arrow keys, a search that opens what it finds, and each
 * place and value to copy. Only the rows on the screen are on the page.
 */

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";

import { Button } from "../../parts/Button";
import { Sign } from "../../parts/Icon";
import { copyText } from "../../parts/copy";
import { number } from "../../words/format";
import { FindBar } from "../FindBar";
import { finder, useHits } from "../find";
import { countOf, isContainer, keyAt, kindOf, nodeAt, parentOf, pointerOf, type Tape } from "../json/tape";
import { useSteps } from "../json/useSteps";
import { closeBelow, openBelow, type OpenRows, rowId, ROWS_MAX, treeRows, type TreeRow, wayTo } from "./rows";
import { searchSteps } from "./search";
import { copyOf, RowWords } from "./RowWords";

const COPIED = { path: "Path copied", value: "Value copied" };

const NOT_COPIED = { path: "Path could not be copied", value: "Value could not be copied" };

const ROW_PX = 20;
const ROWS_SHOWN = 28;
const NONE: readonly number[] = [];

interface Props {
  readonly tape: Tape;
  /** The value at the top; the whole by default. */
  readonly root?: number;
  /** What the top is called, and the whole tree to a screen reader. */
  readonly name: string;
  readonly label: string;
  /** Problems at places of the value, by JSON Pointer from its top. */
  readonly problems?: ReadonlyMap<string, string>;
  /** A place to go to; another object goes there again. */
  readonly goTo?: { readonly keys: readonly string[] } | null;
}

/** A small value is open as far as it fits; of a large one the first level is. */
function firstOpen(tape: Tape, root: number): OpenRows {
  const top: TreeRow = { id: rowId(root), node: root, group: null, depth: 1, open: true, place: 1, among: 1 };
  return countOf(tape, root) === 0 ? new Set() : openBelow(tape, top, new Set(), ROWS_SHOWN);
}

export function JsonTree({ tape, root = 0, name, label, problems, goTo = null }: Props) {
  const prefix = useId();
  const [open, setOpen] = useState<OpenRows>(() => firstOpen(tape, root));
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set());
  const [cursor, setCursor] = useState(rowId(root));
  const [said, setSaid] = useState("");
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);

  const { rows, cut } = useMemo(() => treeRows(tape, root, open), [tape, root, open]);
  const active = Math.max(0, useMemo(() => rows.findIndex(({ id }) => id === cursor), [rows, cursor]));
  const row = rows[active];

  const hits = useHits();
  const words = useDeferredValue(hits.words);
  const search = useMemo(() => () => searchSteps(tape, root, words), [tape, root, words]);
  const found = useSteps(search, words === "" ? 0 : tape.source.length);
  const hitNodes = useMemo(() => new Set(found ?? NONE), [found]);
  const hit = found?.[hits.current];
  const pattern = useMemo(() => finder(words), [words]);

  const withActive = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      return indexes.includes(active) ? indexes : [...indexes, active].sort((a, b) => a - b);
    },
    [active],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    // A row that is not laid out has no height yet.
    measureElement: (element) => Math.max(ROW_PX, (element as HTMLElement).offsetHeight),
    getItemKey: (index) => rows[index]?.id ?? index,
    rangeExtractor: withActive,
    overscan: 8,
    useFlushSync: false,
    initialRect: { width: 600, height: ROW_PX * ROWS_SHOWN },
  });

  const reveal = useCallback(
    (node: number) => {
      setOpen((held) => new Set([...held, ...wayTo(tape, node, root)]));
      setCursor(rowId(node));
    },
    [tape, root],
  );
  const [shownHit, setShownHit] = useState<number | undefined>(undefined);
  if (hit !== shownHit) {
    setShownHit(hit);
    if (hit !== undefined) reveal(hit);
  }
  const [gone, setGone] = useState<Props["goTo"]>(null);
  if (goTo !== gone) {
    setGone(goTo);
    if (goTo !== null) reveal(nodeAt(tape, goTo.keys, root));
  }
  useEffect(() => virtual.scrollToIndex(active, { align: "auto" }), [active, virtual]);

  const copy = (text: string, what: "path" | "value") =>
    void copyText(text).then((done) => setSaid((done ? COPIED : NOT_COPIED)[what]));
  const copyPath = (of: TreeRow) => copy(pointerOf(tape, of.node, root), "path");
  const copyValue = (of: TreeRow) => copy(copyOf(tape, of.node), "value");
  const setRowOpen = (of: TreeRow, opened: boolean) =>
    setOpen((held) => {
      const next = new Set(held);
      if (opened) next.add(of.id);
      else next.delete(of.id);
      return next;
    });
  const opens = (of: TreeRow) => of.group !== null || (isContainer(tape, of.node) && countOf(tape, of.node) > 0);
  const toggle = (of: TreeRow) => {
    if (opens(of)) setRowOpen(of, !of.open);
    else setWhole((held) => new Set(held.has(of.node) ? [...held].filter((node) => node !== of.node) : [...held, of.node]));
  };
  const goUp = (of: TreeRow) => {
    for (let index = active - 1; index >= 0; index -= 1) {
      const above = rows[index];
      if (above && above.depth < of.depth) {
        setCursor(above.id);
        return;
      }
    }
  };
  const moveTo = (index: number) => {
    const to = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (to) setCursor(to.id);
  };
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!row) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === "f") field.current?.select();
      else if (key === "c" && !event.shiftKey && window.getSelection()?.isCollapsed !== false) copyValue(row);
      else return;
      event.preventDefault();
      return;
    }
    if (event.altKey) return;
    const keys: Partial<Record<string, () => void>> = {
      ArrowDown: () => moveTo(active + 1),
      ArrowUp: () => moveTo(active - 1),
      PageDown: () => moveTo(active + page),
      PageUp: () => moveTo(active - page),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => (opens(row) && !row.open ? setRowOpen(row, true) : row.open && moveTo(active + 1)),
      ArrowLeft: () => (row.open ? setRowOpen(row, false) : goUp(row)),
      Enter: () => toggle(row),
      " ": () => toggle(row),
      "*": () => setOpen(openBelow(tape, row, open)),
      "-": () => setOpen(closeBelow(tape, row, open)),
      c: () => copyValue(row),
      p: () => copyPath(row),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  const rowDom = (index: number) => `${prefix}-row-${index}`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-1">
        <FindBar hits={hits} total={found === null ? null : found.length} what={label} field={field} />
        <Button look="quiet" className="h-5" onClick={() => rows[0] && setOpen(openBelow(tape, rows[0], open))}>Expand all</Button>
        <Button look="quiet" className="h-5" onClick={() => { setOpen(new Set([rowId(root)])); setCursor(rowId(root)); }}>Collapse all</Button>
      </div>
      <div
        ref={scroller}
        role="tree"
        dir="ltr"
        aria-label={label}
        aria-activedescendant={rowDom(active)}
        tabIndex={0}
        data-viewport
        onKeyDown={onKeyDown}
        className="group max-h-[65vh] overflow-x-hidden overflow-y-auto font-mono text-sm"
      >
        <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const item = rows[index];
            if (!item) return null;
            const problem = item.group === null ? problems?.get(pointerOf(tape, item.node, root)) : undefined;
            return (
              <TreeItem
                key={key}
                {...{ item, start, index, problem, measure: virtual.measureElement }}
                id={rowDom(index)}
                active={index === active}
                opens={opens(item)}
                onPress={() => {
                  setCursor(item.id);
                  if (opens(item)) toggle(item);
                }}
              >
                <RowWords
                  {...{ tape, item, pattern: hitNodes.has(item.node) ? pattern : null, words }}
                  name={item.node === root ? name : String(keyAt(tape, item.node) ?? "")}
                  inList={item.node !== root && kindOf(tape, parentOf(tape, item.node)) === "array"}
                  whole={whole.has(item.node)}
                  current={item.node === hit}
                  onWhole={() => toggle(item)}
                />
              </TreeItem>
            );
          })}
        </div>
      </div>
      {cut && <p className="text-sm text-warn"><Sign of="warning" className="me-1" />More than {number(ROWS_MAX)} rows are open; the rest is not shown. Collapse some.</p>}
      {row && (
        <div className="flex flex-wrap items-center gap-1 text-sm text-dim">
          <code className="min-w-0 flex-1 truncate font-mono" title="JSON Pointer">{pointerOf(tape, row.node, root) || "(the whole)"}</code>
          <Button look="quiet" className="h-5" title="p" onClick={() => copyPath(row)}>Copy path</Button>
          <Button look="quiet" className="h-5" title="c" onClick={() => copyValue(row)}>Copy value</Button>
          <Button look="quiet" className="h-5" title="*" unavailable={opens(row) ? undefined : "Nothing is below"} onClick={() => setOpen(openBelow(tape, row, open))}>Expand below</Button>
          <Button look="quiet" className="h-5" title="-" unavailable={opens(row) ? undefined : "Nothing is below"} onClick={() => setOpen(closeBelow(tape, row, open))}>Collapse below</Button>
          <span role="status" className="w-full text-end empty:hidden">{said}</span>
        </div>
      )}
    </div>
  );
}

interface ItemProps {
  readonly item: TreeRow;
  readonly id: string;
  readonly index: number;
  readonly start: number;
  readonly active: boolean;
  readonly opens: boolean;
  readonly problem: string | undefined;
  readonly measure: (node: Element | null) => void;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function TreeItem({ item, id, index, start, active, opens, problem, measure, onPress, children }: ItemProps) {
  return (
    // The tree itself hears the keys: it has the focus, its rows never do.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={measure}
      id={id}
      data-index={index}
      role="treeitem"
      tabIndex={-1}
      aria-level={item.depth}
      aria-posinset={item.place}
      aria-setsize={item.among}
      aria-selected={active}
      aria-expanded={opens ? item.open : undefined}
      onClick={onPress}
      className={`absolute top-0 start-0 flex min-h-5 w-full items-start rounded-sm pe-1 leading-5 ${
        active ? "bg-selected group-focus-visible:outline-1 group-focus-visible:-outline-offset-1 group-focus-visible:outline-accent" : "hover:bg-hover"
      }`}
      style={{ transform: `translateY(${start}px)`, paddingLeft: Math.min(24, item.depth - 1) * 14 }}
    >
      <span aria-hidden className="w-4 shrink-0 text-faint">{opens && <Sign of={item.open ? "chevronDown" : "chevronRight"} />}</span>
      <span className="min-w-0 flex-1">
        {children}
        {problem !== undefined && <span className="font-sans text-warn"> <Sign of="warning" className="me-1" />{problem}</span>}
      </span>
    </div>
  );
}
