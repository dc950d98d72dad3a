import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, type Ref } from "react";

import { rangeWith } from "../../lib/rangeWith";
import type { Entry } from "./entry";
import { PaletteRow } from "./PaletteRow";
import { ROW_PX, type Row } from "./rows";

interface Props {
  ref: Ref<HTMLDivElement>;
  id: string;
  rows: readonly Row[];
  rowId: (index: number) => string;
  /** The number of entries, without headings. */
  count: number;
  active: number;
  waiting: boolean;
  onChoose: (entry: Entry) => void;
  onPoint: (index: number) => void;
}

/** The list of results. It is a separate component, so that scrolling does not repeat the search. */
export function PaletteList({ ref, id, rows, rowId, count, active, waiting, onChoose, onPoint }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  useImperativeHandle<HTMLDivElement | null, HTMLDivElement | null>(ref, () => scroller.current);
  const withActive = useMemo(() => rangeWith(active), [active]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    rangeExtractor: withActive,
    overscan: 6,
    useFlushSync: false,
    initialRect: { width: 600, height: 400 },
  });

  // The callbacks are stable, so that unchanged rows don't render again.
  const latest = useRef({ onChoose, onPoint });
  useLayoutEffect(() => {
    latest.current = { onChoose, onPoint };
  }, [onChoose, onPoint]);
  const choose = useCallback((entry: Entry) => latest.current.onChoose(entry), []);
  const point = useCallback((index: number) => latest.current.onPoint(index), []);

  useEffect(() => {
    // If the first entry is active, its heading is scrolled into view too.
    if (active >= 0) virtual.scrollToIndex(active === 1 ? 0 : active, { align: "auto" });
  }, [active, virtual]);

  return (
    <div
      ref={scroller}
      id={id}
      role="listbox"
      aria-label="Results"
      aria-busy={waiting}
      data-viewport
      className="min-h-0 flex-1 overflow-y-auto"
    >
      <div role="presentation" className="relative my-1" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <PaletteRow
                key={index}
                id={rowId(index)}
                row={row}
                index={index}
                top={start}
                count={count}
                active={index === active}
                onChoose={choose}
                onPoint={point}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
