/** A sheet that compares two results: of two past calls, or of a past call and a call made in this window. */
import { useEffect, useState } from "react";

import type { CallOutcome, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { Sign } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { Sheet } from "../../components/Sheet";
import { useHall } from "../../lib/hall/hall";
import { Compare, sideOf } from "../results/Compare";
import { number } from "../../lib/format";
import { moment } from "../../lib/time";
import type { Side } from "./callHistory";
import { outcomeOf } from "./outcome";
import { HistoryErrorReport } from "./HistoryErrorReport";

interface Answer {
  readonly side: Side;
  readonly outcome: CallOutcome | null;
  /** Whether the history has stored only the beginning of the result. */
  readonly truncated: boolean;
  readonly error: Report | null;
}

function useSide(side: Side): Answer {
  const hall = useHall();
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
  const other = toolOf(sides[0]) === toolOf(sides[1]) ? null : toolOf(sides[1]);
  return (
    <Sheet wide title="Compare results" testid="comparison" onClose={onClose}>
      <div className="flex min-h-0 flex-1 flex-col gap-2 px-4 py-3">
        <p className="break-words text-dim">
          <bdi className="font-medium text-text">{toolOf(sides[0])}</bdi>, {titleOf(sides[0])} and {other !== null && <><bdi className="font-medium text-text">{other}</bdi>, </>}{titleOf(sides[1])}
        </p>
        {[left, right].map(
          ({ side, error, truncated }, index) =>
            (error !== null && <HistoryErrorReport key={index} report={error} />) ||
            (truncated && (
              <p key={index} className="text-warn"><Sign of="warning" className="me-1" />The result of {titleOf(side)} is truncated (too long to store).</p>
            )),
        )}
        {[left, right].some(({ outcome, error }) => !outcome && !error) && <Reading what="the calls" className="" />}
        {left.outcome && right.outcome && (
          <Compare left={sideOf(titleOf(sides[0]), left.outcome)} right={sideOf(titleOf(sides[1]), right.outcome)} />
        )}
      </div>
    </Sheet>
  );
}
