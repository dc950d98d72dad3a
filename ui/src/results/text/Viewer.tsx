/** A text of any length in a box of its own: only what is on the screen is on the page. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef } from "react";

import { Sign } from "../../parts/Icon";
import { counted, number } from "../../words/format";
import { FindBar } from "../FindBar";
import { finder, MATCHES_MAX, useHits } from "../find";
import { Marked } from "../Marked";
import { allHits, blockOf, blocksOf } from "./blocks";

const LINE_PX = 16;

interface Props {
  readonly text: string;
  readonly label: string;
  /** Fills the room that there is, instead of being as high as its text needs. */
  readonly fill?: boolean;
}

export function Viewer({ text, label, fill = false }: Props) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  const hits = useHits();
  const words = useDeferredValue(hits.words);
  const at = useMemo(() => allHits(text, finder(words), MATCHES_MAX), [text, words]);
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const virtual = useVirtualizer({
    count: blocks.heights.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (blocks.heights[index] ?? 1) * LINE_PX,
    // A block that is not laid out has no height yet.
    measureElement: (element) =>
      (element as HTMLElement).offsetHeight || (blocks.heights[Number((element as HTMLElement).dataset["index"])] ?? 1) * LINE_PX,
    overscan: 2,
    useFlushSync: false,
    initialRect: { width: 600, height: 600 },
  });
  const current = at[hits.current];
  useEffect(() => {
    if (current === undefined) return;
    virtual.scrollToIndex(blockOf(blocks.starts, current), { align: "auto" });
    const frame = requestAnimationFrame(() =>
      scroller.current?.querySelector("mark[aria-current]")?.scrollIntoView({ block: "center" }),
    );
    return () => cancelAnimationFrame(frame);
  }, [blocks, current, virtual]);

  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") {
      event.preventDefault();
      field.current?.select();
    }
  };
  return (
    <div className={`flex min-h-0 flex-col ${fill ? "flex-1" : ""}`}>
      <div className="flex flex-wrap items-center gap-2 pb-1 text-sm text-faint">
        <FindBar hits={hits} total={at.length} what={label} field={field} />
        <span>
          {counted(blocks.lines, { one: "line", other: "lines" })}, {number(text.length)} characters
        </span>
      </div>
      {/* A region that scrolls has to be reached by the keyboard; the key finds in it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        dir="ltr"
        aria-label={label}
        data-viewport
        onKeyDown={onKeyDown}
        className={`overflow-y-auto font-mono text-sm ${fill ? "min-h-0 flex-1" : "max-h-[65vh] min-h-16"}`}
      >
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const from = blocks.starts[index] ?? 0;
            const to = blocks.starts[index + 1] ?? from;
            const first = lowerBound(at, from);
            const here = at.slice(first, lowerBound(at, to)).map((hit) => hit - from);
            const shown = text.slice(from, text[to - 1] === "\n" && to < text.length ? to - 1 : to);
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute top-0 start-0 min-h-4 w-full whitespace-pre-wrap [overflow-wrap:anywhere]"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Marked text={shown} at={here} length={words.length} current={hits.current - first} />
              </div>
            );
          })}
        </div>
      </div>
      {blocks.left > 0 && (
        <p className="text-sm text-warn"><Sign of="warning" className="me-1" />{number(blocks.left)} more characters are not laid out here; copy or save the text to see them.</p>
      )}
    </div>
  );
}

/** The first place in an ascending list that is not below `value`. */
function lowerBound(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
