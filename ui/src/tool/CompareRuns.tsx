/** Two of the tool's finished calls, and the differences of their results. */
import { Select } from "radix-ui";
import { useEffect, useRef, useState } from "react";

import type { CallId } from "../bridge/bindings";
import type { Run } from "../hall/workbench";
import { Button } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { IconButton } from "../parts/IconButton";
import { SIGNS } from "../parts/signs";
import { HEADER } from "../results/AnsweredFrame";
import { Compare, sideOf } from "../results/Compare";
import { duration } from "../words/time";
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
  const find = (call: CallId) => ended.find((run) => run.call === call);
  const [left, right] = [find(chosen.left), find(chosen.right)];
  return (
    <section aria-label="Compare two results" className="flex min-h-0 flex-1 flex-col">
      <div className={HEADER}>
        <Choice label="Left" runs={ended} call={chosen.left} onCall={(call) => setChosen({ ...chosen, left: call })} />
        <Choice label="Right" runs={ended} call={chosen.right} onCall={(call) => setChosen({ ...chosen, right: call })} />
        <IconButton icon="repeat" label="Swap" onClick={() => setChosen({ left: chosen.right, right: chosen.left })} />
        <Button ref={back} className="ms-auto" onClick={onClose}>Back to result</Button>
      </div>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4 py-3">
        {left?.outcome && right?.outcome && <Compare left={sideOf(`#${left.number}`, left.outcome)} right={sideOf(`#${right.number}`, right.outcome)} />}
      </div>
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly runs: readonly Run[];
  readonly call: CallId;
  readonly onCall: (call: CallId) => void;
}

function Choice({ label, runs, call, onCall }: ChoiceProps) {
  const words = (run: Run) => `#${run.number} ${runFace(run).word}${run.outcome ? ` ${duration(run.outcome.durationMs)}` : ""}`;
  const shown = runs.find((run) => run.call === call);
  return (
    <Select.Root value={call} onValueChange={onCall}>
      <Select.Trigger aria-label={label} className="flex h-7 items-center gap-1 rounded-sm border border-line-strong bg-bg px-2 text-sm">
        <Select.Value>{shown && words(shown)}</Select.Value>
        <Icon of={SIGNS.chevronDown} size={14} className="text-dim" />
      </Select.Trigger>
      <Select.Portal>
        <Select.Content position="popper" sideOffset={4} className="z-30 max-h-80 rounded-md bg-raised p-1 shadow-(--shadow)">
          <Select.Viewport>
            {runs.map((run) => (
              <Select.Item key={run.call} value={run.call} className="cursor-default rounded-sm px-2 py-1 text-sm outline-none data-highlighted:bg-hover data-[state=checked]:bg-selected">
                <Select.ItemText>{words(run)}</Select.ItemText>
              </Select.Item>
            ))}
          </Select.Viewport>
        </Select.Content>
      </Select.Portal>
    </Select.Root>
  );
}
