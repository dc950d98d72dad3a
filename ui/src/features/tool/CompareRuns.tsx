/** A comparison of the results of two finished calls of a tool. */
import { useEffect, useRef, useState } from "react";

import type { CallId } from "../../ipc/bindings";
import type { Run } from "./workbench";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/IconButton";
import { Select } from "../../components/Select";
import { HEADER } from "../results/AnsweredFrame";
import { Compare, sideOf } from "../results/Compare";
import { duration } from "../../lib/time";
import { runFace } from "./runFace";

interface Props {
  readonly runs: readonly Run[];
  readonly first: { readonly left: CallId; readonly right: CallId };
  readonly onClose: () => void;
}

export function CompareRuns({ runs, first, onClose }: Props) {
  const ended = runs.filter((run) => run.outcome !== null);
  const [chosen, setChosen] = useState(first);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const options = ended.map((run) => ({ value: run.call, label: `#${run.number} ${runFace(run).word}${run.outcome ? ` ${duration(run.outcome.durationMs)}` : ""}` }));
  const find = (call: CallId) => ended.find((run) => run.call === call);
  const [left, right] = [find(chosen.left), find(chosen.right)];
  return (
    <section aria-label="Compare two results" className="flex min-h-0 flex-1 flex-col">
      <div className={HEADER}>
        <Select aria-label="Left" className="text-sm" value={chosen.left} options={options} onValue={(call) => setChosen({ ...chosen, left: call })} />
        <Select aria-label="Right" className="text-sm" value={chosen.right} options={options} onValue={(call) => setChosen({ ...chosen, right: call })} />
        <IconButton icon="repeat" label="Swap" onClick={() => setChosen({ left: chosen.right, right: chosen.left })} />
        <Button ref={back} className="ms-auto" onClick={onClose}>Back to result</Button>
      </div>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4 py-3">
        {left?.outcome && right?.outcome && <Compare left={sideOf(`#${left.number}`, left.outcome)} right={sideOf(`#${right.number}`, right.outcome)} />}
      </div>
    </section>
  );
}
