/** Two results against each other: calls of the past, or one of them and one of this window. */
import { useEffect, useRef, useState } from "react";

import { useHouse } from "../app/house";
import type { CallOutcome, Report } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { useSlow } from "../parts/useSlow";
import { Compare, sideOf } from "../results/Compare";
import { number } from "../words/format";
import { moment } from "../words/time";
import type { Side } from "./callHistory";
import { outcomeOf } from "./outcome";
import { HistoryTrouble } from "./HistoryTrouble";

interface Answer {
  readonly side: Side;
  readonly outcome: CallOutcome | null;
  /** Whether only the beginning of its result was kept. */
  readonly truncated: boolean;
  readonly error: Report | null;
}

function useSide(side: Side): Answer {
  const { hall } = useHouse();
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (side.kind === "run") return undefined;
    let wanted = true;
    hall.ask("history_entry", { id: side.entry.id }).then(
      (call) => wanted && setAnswer({ side, outcome: outcomeOf(call), truncated: call.truncated, error: null }),
      (reason: unknown) =>
        wanted && setAnswer({ side, outcome: null, truncated: false, error: asRefusal(reason).report }),
    );
    return () => {
      wanted = false;
    };
  }, [hall, side]);
  if (side.kind === "run") return { side, outcome: side.run.outcome, truncated: false, error: null };
  return answer?.side === side ? answer : { side, outcome: null, truncated: false, error: null };
}

function titleOf(side: Side): string {
  return side.kind === "run" ? `call #${number(side.run.number)} of this window` : moment(side.entry.atMs);
}

function toolOf(side: Side): string {
  const { member, tool } = side.kind === "run" ? side.run : side.entry;
  return `${member} › ${tool}`;
}

interface Props {
  readonly sides: readonly [Side, Side];
  readonly onClose: () => void;
}

export function Comparison({ sides, onClose }: Props) {
  const left = useSide(sides[0]);
  const right = useSide(sides[1]);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), [sides]);
  const waiting = useSlow([left, right].some(({ outcome, error }) => !outcome && !error));
  const other = toolOf(sides[0]) === toolOf(sides[1]) ? null : toolOf(sides[1]);
  return (
    <section aria-label="Two results compared" className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto px-3 py-2" data-testid="comparison">
      <div className="flex items-start gap-2">
        <h2 ref={head} tabIndex={-1} className="min-w-0 flex-1 break-words outline-none">
          <bdi className="font-semibold">{toolOf(sides[0])}</bdi> of {titleOf(sides[0])} and {other !== null && <><bdi className="font-semibold">{other}</bdi> of </>}{titleOf(sides[1])}
        </h2>
        <Button look="quiet" aria-label="Close the comparison" onClick={onClose}><Sign of="close" /></Button>
      </div>
      {[left, right].map(
        ({ side, error, truncated }, index) =>
          (error !== null && <HistoryTrouble key={index} report={error} />) ||
          (truncated && (
            <p key={index} className="text-warn"><Sign of="warning" className="me-1" />Of the result of {titleOf(side)} only the beginning was kept.</p>
          )),
      )}
      {waiting && <p role="status" className="text-dim">Reading the calls…</p>}
      {left.outcome && right.outcome && (
        <Compare left={sideOf(titleOf(sides[0]), left.outcome)} right={sideOf(titleOf(sides[1]), right.outcome)} />
      )}
    </section>
  );
}
