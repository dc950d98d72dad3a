import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";

import { number } from "../../words/format";
import { foldedRows, type LineDifference } from "./lines";

const ROW_PX = 18;
const CUT = 2_000;

const LOOKS = {
  same: { sign: "", word: "", look: "" },
  added: { sign: "+", word: "added: ", look: "bg-[color-mix(in_srgb,var(--ok)_14%,transparent)]" },
  removed: { sign: "−", word: "removed: ", look: "bg-[color-mix(in_srgb,var(--bad)_14%,transparent)]" },
} as const;

/** A line difference, equal stretches folded; only what is on the screen is on the page. */
export function LineView({ difference }: { difference: LineDifference }) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => foldedRows(difference.lines, opened), [difference, opened]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    useFlushSync: false,
    initialRect: { width: 600, height: 600 },
  });
  if (difference.added + difference.removed === 0) return null;
  const digits = `${String(difference.lines.length).length + 1}ch`;
  return (
    // A region that scrolls has to be reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} role="region" dir="ltr" aria-label="Differences by line" tabIndex={0} data-viewport className="max-h-[65vh] min-h-0 overflow-auto font-mono text-sm">
      <div role="list" className="relative min-w-fit" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          const place = { transform: `translateY(${start}px)`, height: ROW_PX };
          if (row.kind === "folded") {
            return (
              <div key={key} role="listitem" className="absolute top-0 start-0 w-full" style={place}>
                <button type="button" className="h-full w-full bg-surface px-2 text-start font-sans text-dim hover:text-text" onClick={() => setOpened(new Set([...opened, row.from]))}>
                  ⋯ {number(row.count)} equal lines
                </button>
              </div>
            );
          }
          const { sign, word, look } = LOOKS[row.kind];
          return (
            <div key={key} role="listitem" className={`absolute top-0 start-0 flex w-full leading-[18px] whitespace-pre ${look}`} style={place}>
              <span aria-hidden className="shrink-0 px-1 text-end text-faint select-none" style={{ width: digits }}>{row.left || ""}</span>
              <span aria-hidden className="shrink-0 px-1 text-end text-faint select-none" style={{ width: digits }}>{row.right || ""}</span>
              <span aria-hidden className="w-4 shrink-0 text-center select-none">{sign}</span>
              <span><span className="sr-only">{word}</span>{row.text.length > CUT ? `${row.text.slice(0, CUT)}…` : row.text}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
