import { useEffect, useId, useRef } from "react";

import { useHouse } from "../app/house";
import type { CallId } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { sheetKey, type Run } from "../hall/workbench";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { isFocusNowhere } from "../parts/focus";
import { useNow } from "../parts/useNow";
import { duration, wholeDuration } from "../words/time";
import { runFace } from "./runFace";

interface Props {
  /** Oldest first. */
  readonly runs: readonly Run[];
  readonly shown: Run | null;
  /** Shows two of them side by side; `null` while that is being done. */
  readonly onCompare: (() => void) | null;
}

/** The tool's last calls, each to look at and, while it runs, to cancel. Absent until there are two. */
export function Runs({ runs, shown, onCompare }: Props) {
  const { bench, desk, hall } = useHouse();
  const seen = useStore(desk.seen, (calls) => calls);
  const now = useNow(1_000, runs.some((run) => !run.outcome));
  const compare = useRef<HTMLButtonElement>(null);
  const comparing = onCompare === null;
  // The way back goes with the comparison; one is then where one came from.
  const compared = useRef(comparing);
  useEffect(() => {
    if (compared.current && !comparing && isFocusNowhere()) compare.current?.focus();
    compared.current = comparing;
  }, [comparing]);
  // The way to cancel goes with the call's end; the call itself stays.
  const prefix = useId();
  const cancelled = useRef<CallId | null>(null);
  useEffect(() => {
    const { current } = cancelled;
    if (current === null || runs.some((run) => run.call === current && !run.outcome)) return;
    cancelled.current = null;
    if (isFocusNowhere()) document.getElementById(`${prefix}-${current}`)?.focus();
  }, [runs, prefix]);
  if (runs.length < 2) return null;
  const ended = runs.filter((run) => run.outcome).length;
  return (
    <div className="flex shrink-0 items-center gap-1 border-b border-line px-4 py-1">
      <ol aria-label="Calls of this tool" className="flex min-w-0 flex-1 gap-1 overflow-x-auto">
        {[...runs].reverse().map((run) => {
          const face = runFace(run);
          const took = run.outcome ? duration(run.outcome.durationMs) : wholeDuration(now - run.startedAtMs);
          const fresh = run.outcome !== null && !seen.has(run.call) && run.call !== shown?.call;
          return (
            <li key={run.call} className="flex shrink-0 items-center">
              <button
                id={`${prefix}-${run.call}`}
                type="button"
                aria-current={run.call === shown?.call}
                className="rounded-sm px-2 text-sm whitespace-nowrap text-dim hover:bg-hover aria-[current=true]:bg-selected aria-[current=true]:text-text"
                onClick={() => bench.show(sheetKey(run.member, run.tool), run.call)}
              >
                #{run.number} <Sign of={face.shape} className={`me-1 ${face.colour}`} />{face.word} {took}
                {fresh && <strong className="font-semibold text-accent"> new</strong>}
              </button>
              {!run.outcome && (
                <Button
                  look="quiet"
                  className="h-5 px-1"
                  aria-label={`Cancel call ${run.number}`}
                  title="Cancel"
                  onClick={() => {
                    cancelled.current = run.call;
                    void hall.cancel(run.call);
                  }}
                >
                  <Sign of="close" />
                </Button>
              )}
            </li>
          );
        })}
      </ol>
      <Button
        ref={compare}
        look="quiet"
        aria-pressed={comparing}
        unavailable={comparing ? "They are being compared" : ended < 2 ? "Two calls have to have ended" : undefined}
        onClick={onCompare ?? undefined}
      >
        Compare
      </Button>
    </div>
  );
}
