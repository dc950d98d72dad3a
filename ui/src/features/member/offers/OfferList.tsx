/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- options are
   not Tab stops: the list has the focus, and the arrow keys change `aria-activedescendant` */
/** A virtualized list of offers (resources, templates, prompts or skills) with one Tab stop. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type KeyboardEvent, type Ref } from "react";

import { Sign } from "../../../components/Icon";
import { sizeWord } from "../../results/content";
import { counted } from "../../../lib/format";
import { rowForKey, rowsInView } from "../../../lib/listKeys";
import { rangeWith } from "../../../lib/rangeWith";
import { type Listed, nameOf, offerOf, ownName } from "./offer";
import { offerFace } from "./faces";
import { Tooltip } from "../../../components/Tooltip";

const ROW_PX = 36;
const TYPE_AHEAD_MS = 500;

export interface OfferListHandle {
  readonly focus: () => void;
  /** Opens the page of the active entry. */
  readonly open: () => void;
}

interface Props {
  readonly id: string;
  readonly label: string;
  readonly listed: readonly Listed[];
  /** The index of the entry that is active at first. */
  readonly from: number;
  readonly onCursor: (index: number) => void;
  readonly onOpen: (listed: Listed) => void;
  readonly ref?: Ref<OfferListHandle>;
}

export function OfferList({ id, label, listed, from, onCursor, onOpen, ref }: Props) {
  const [cursor, setCursor] = useState(from);
  const active = Math.min(cursor, listed.length - 1);
  const scroller = useRef<HTMLDivElement>(null);
  const typed = useRef({ letters: "", atMs: 0 });
  const virtual = useVirtualizer({
    count: listed.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    rangeExtractor: useMemo(() => rangeWith(active), [active]),
    overscan: 10,
    useFlushSync: false,
    initialRect: { width: 600, height: 600 },
  });
  // When the user returns from an entry's page, scroll to this entry.
  const began = useRef(from);
  useEffect(() => {
    if (began.current > 0) virtual.scrollToIndex(began.current, { align: "center" });
  }, [virtual]);
  const open = (index: number) => {
    const one = listed[index];
    if (one) onOpen(one);
  };
  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus(), open: () => open(active) }));

  const moveTo = (index: number) => {
    setCursor(index);
    onCursor(index);
    virtual.scrollToIndex(index, { align: "auto" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = rowForKey(event.key, active, listed.length, rowsInView(scroller.current, ROW_PX));
    if (to !== undefined) moveTo(to);
    else if (event.key === "Enter" || event.key === " ") open(active);
    else if (event.key.length === 1 && event.key !== "/") {
      const fresh = event.timeStamp - typed.current.atMs > TYPE_AHEAD_MS;
      const letters = (fresh ? "" : typed.current.letters) + event.key.toLowerCase();
      typed.current = { letters, atMs: event.timeStamp };
      const found = nextNamed(listed, active, letters);
      if (found >= 0) moveTo(found);
    } else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      id={id}
      role="listbox"
      aria-label={label}
      aria-activedescendant={`${id}-${active}`}
      tabIndex={0}
      data-testid="offers"
      data-viewport
      onKeyDown={onKeyDown}
      className="group min-h-40 flex-1 scant:max-h-[80vh] scant:min-h-0 overflow-y-auto border-t border-line outline-none"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const one = listed[index];
          if (!one) return null;
          return (
            <div
              key={key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              aria-setsize={listed.length}
              aria-posinset={index + 1}
              onClick={() => {
                setCursor(index);
                onCursor(index);
                open(index);
              }}
              style={{ height: ROW_PX, transform: `translateY(${start}px)` }}
              className={`absolute top-0 start-0 flex w-full items-center gap-2.5 overflow-hidden border-b border-line px-2 hover:bg-hover ${
                index === active ? "group-focus-visible:bg-selected group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-accent" : ""
              }`}
            >
              <Line listed={one} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Line({ listed }: { listed: Listed }) {
  const { shape, word } = offerFace(listed.kind);
  const own = ownName(offerOf(listed));
  const name = nameOf(listed);
  const { description } = listed.view;
  return (
    <>
      <Tooltip text={word}>
        <span role="img" aria-label={word} className="inline-flex shrink-0 text-dim"><Sign of={shape} /></span>
      </Tooltip>
      <Tooltip text={description ?? name}>
        <bdi className="max-w-[45%] min-w-0 shrink-0 truncate font-medium">{name}</bdi>
      </Tooltip>
      <Tooltip text={own}>
        <bdi dir="ltr" className="min-w-0 flex-1 truncate font-mono text-sm text-dim">
          {own === name ? "" : own}
        </bdi>
      </Tooltip>
      {listed.kind === "prompt" && listed.view.arguments.length > 0 && (
        <span className="shrink-0 text-sm text-faint">{counted(listed.view.arguments.length, { one: "argument", other: "arguments" })}</span>
      )}
      {listed.kind === "skill" && (
        <span className="shrink-0 text-sm text-faint">{listed.view.files === null ? "generated" : counted(listed.view.files.length, { one: "file", other: "files" })}</span>
      )}
      {(listed.kind === "resource" || listed.kind === "template") && listed.view.mimeType !== null && (
        <span className="max-w-[20%] shrink-0 truncate text-sm text-faint">{listed.view.mimeType}</span>
      )}
      {listed.kind === "resource" && listed.view.size !== null && (
        <span className="w-16 shrink-0 text-end text-sm text-faint tabular-nums">{sizeWord(listed.view.size)}</span>
      )}
    </>
  );
}

/** The index of the next entry after `from` whose name begins with the letters, or -1. The search wraps around. */
function nextNamed(listed: readonly Listed[], from: number, letters: string): number {
  // The first letter searches from the next entry. Later letters may still match the entry that is already active.
  const first = letters.length === 1 ? 1 : 0;
  for (let step = first; step < listed.length + first; step += 1) {
    const index = (from + step) % listed.length;
    const one = listed[index];
    if (one && nameOf(one).toLowerCase().startsWith(letters)) return index;
  }
  return -1;
}
