/** Two of the tool's calls, chosen from those that ended, and where their results differ. */
import { useId, useState } from "react";

import type { CallId } from "../bridge/bindings";
import type { Run } from "../hall/workbench";
import { Button } from "../parts/Button";
import { Compare, sideOf } from "../results/compare/Compare";
import { duration } from "../words/time";
import { runFace } from "./runFace";

interface Props {
  readonly runs: readonly Run[];
  readonly shown: CallId | undefined;
  readonly onClose: () => void;
}

export function CompareRuns({ runs, shown, onClose }: Props) {
  const ended = runs.filter((run) => run.outcome !== null);
  const newest = ended.find(({ call }) => call === shown) ?? ended.at(-1);
  const [chosen, setChosen] = useState({
    left: ended.findLast(({ call }) => call !== newest?.call)?.call,
    right: newest?.call,
  });
  const find = (call: CallId | undefined) => ended.find((run) => run.call === call);
  const left = find(chosen.left);
  const right = find(chosen.right);
  return (
    <section aria-label="Compare two results" className="flex min-h-0 flex-1 flex-col gap-2 px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <Choice label="Left" runs={ended} run={left} onRun={(call) => setChosen({ ...chosen, left: call })} />
        <Choice label="Right" runs={ended} run={right} onRun={(call) => setChosen({ ...chosen, right: call })} />
        <Button look="quiet" onClick={() => setChosen({ left: chosen.right, right: chosen.left })}>Swap</Button>
        <span className="grow" />
        <Button onClick={onClose}>Back to the result</Button>
      </div>
      {left?.outcome && right?.outcome && <Compare left={sideOf(titleOf(left), left.outcome)} right={sideOf(titleOf(right), right.outcome)} />}
    </section>
  );
}

function titleOf(run: Run): string {
  return `#${run.number}`;
}

interface ChoiceProps {
  readonly label: string;
  readonly runs: readonly Run[];
  readonly run: Run | undefined;
  readonly onRun: (call: CallId) => void;
}

function Choice({ label, runs, run, onRun }: ChoiceProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-1">
      <label htmlFor={id} className="text-sm text-dim">{label}</label>
      <select id={id} value={run?.call ?? ""} onChange={(event) => onRun(event.target.value)} className="h-6 rounded-sm border border-line-strong bg-bg">
        {runs.map((one) => (
          <option key={one.call} value={one.call}>
            #{one.number} {runFace(one).word}{one.outcome && ` ${duration(one.outcome.durationMs)}`}
          </option>
        ))}
      </select>
    </span>
  );
}
