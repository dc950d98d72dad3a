/** A member's stderr as it comes. Following stops when one scrolls up, and says what came since. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from "react";

import { useHouse } from "../app/house";
import type { LogLine, MemberName } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";
import { counted } from "../words/count";
import { clock } from "../words/time";
import { textOf } from "./lines";
import { useLog } from "./useLog";

const LINE_PX = 18;
/** So near the end still counts as being there. */
const END_PX = 2 * LINE_PX;

function asText(lines: readonly LogLine[]): string {
  return lines.map((line) => `${clock(line.atMs)} ${textOf(line)}`).join("\n");
}

export default function LogView({ member }: { member: MemberName }) {
  const log = useLog(useHouse().hall, member);
  const [query, setQuery] = useState("");
  const wanted = useDeferredValue(query.trim().toLowerCase());
  /** How many lines had come when following stopped; `null` while it follows. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const scroller = useRef<HTMLDivElement>(null);

  const lines = useMemo(
    () => (wanted === "" ? log.lines : log.lines.filter((line) => textOf(line).toLowerCase().includes(wanted))),
    [log.lines, wanted],
  );
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.seq ?? index,
    overscan: 20,
    useFlushSync: false,
  });

  const following = leftAt === null;
  const count = lines.length;
  const firstSeq = lines[0]?.seq ?? 0;
  /** Where the list stood when it was last looked at: how far down, and with which first line. */
  const stood = useRef({ top: 0, firstSeq });
  // Before the paint, so that the end never flickers, and no scroll event sees it half done.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const dropped = firstSeq - stood.current.firstSeq;
    if (following) element.scrollTop = element.scrollHeight;
    // The oldest lines make room for new ones; what one reads stays where it is.
    else if (wanted === "" && dropped > 0) element.scrollTop -= dropped * LINE_PX;
    stood.current = { top: element.scrollTop, firstSeq };
  }, [following, count, firstSeq, log.came, wanted]);

  function onScroll(): void {
    const element = scroller.current;
    if (!element) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (left <= END_PX) setLeftAt(null);
    else if (element.scrollTop < stood.current.top) setLeftAt((before) => before ?? log.came);
    stood.current.top = element.scrollTop;
  }

  const fresh = leftAt === null ? 0 : log.came - leftAt;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 pb-2">
        <input
          type="search"
          aria-label="Search the log"
          placeholder="Search the log"
          maxLength={200}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-6 min-w-0 flex-1 basis-40 rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
        />
        <span className="text-sm text-dim">
          {wanted === "" ? counted(log.lines.length, "line") : `${lines.length} of ${counted(log.lines.length, "line")}`}
          {log.missing > 0 && `, ${log.missing} came too fast and were dropped`}
        </span>
        <CopyButton what="the lines" text={() => asText(lines)} />
      </div>
      <div className="relative min-h-40 flex-1">
        <div
          ref={scroller}
          onScroll={onScroll}
          role="log"
          aria-live="off"
          aria-label={`stderr of ${member}`}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is scrolled by keys too
          tabIndex={0}
          data-testid="log"
          data-viewport
          className="absolute inset-0 overflow-auto rounded-sm border border-line bg-surface font-mono text-sm select-text"
        >
          {count === 0 && (
            <p className="p-2 font-sans text-dim">
              {wanted === "" ? "It has written nothing to stderr." : "No line has these words."}
            </p>
          )}
          <div className="relative w-max min-w-full" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const line = lines[item.index];
              if (!line) return null;
              return (
                <div
                  key={item.key}
                  className="absolute top-0 left-0 flex w-max min-w-full gap-3 px-2 leading-[18px] whitespace-pre"
                  style={{ height: LINE_PX, transform: `translateY(${item.start}px)` }}
                >
                  <span className="text-faint select-none">{clock(line.atMs)}</span>
                  <span>{textOf(line)}</span>
                </div>
              );
            })}
          </div>
        </div>
        {!following && (
          <Button
            look="accent"
            className="absolute right-4 bottom-3"
            onClick={() => setLeftAt(null)}
          >
            ↓ {fresh > 0 ? counted(fresh, "new line") : "To the end"}
          </Button>
        )}
      </div>
    </div>
  );
}
