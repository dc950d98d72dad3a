/** A popover that saves the displayed call as an example in the member's plugin.json. */
import { Popover } from "radix-ui";
import { useId, useMemo, useState } from "react";

import type { MemberView, ToolName } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { sheetKey, shownRun, type Run, useWorkbench } from "../../tool/workbench";
import { NameForm } from "../../history/NameForm";
import { PopoverPane } from "../../../components/PopoverPane";
import { Select } from "../../../components/Select";
import { expectationsOf } from "./expectation";

interface Props {
  readonly view: MemberView;
  readonly tool: ToolName;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

export function KeepExample({ view, tool, open, onOpenChange }: Props) {
  const bench = useWorkbench();
  const run = useStore(bench.sheets, () => shownRun(bench.sheet(sheetKey(view.name, tool))));
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Anchor />
      <PopoverPane stays align="end" aria-label="Save this call as an example" className="flex w-[min(480px,calc(100vw-24px))] flex-col gap-2 p-3">
        {run && <Keeping run={run} onDone={() => onOpenChange(false)} />}
      </PopoverPane>
    </Popover.Root>
  );
}

function Keeping({ run, onDone }: { run: Run; onDone: () => void }) {
  const hall = useHall();
  const spoken = useSpoken();
  const id = useId();
  const choices = useMemo(() => expectationsOf(run.outcome), [run.outcome]);
  const [chosen, setChosen] = useState(0);
  const { member, tool } = run;
  return (
    <>
      <p className="break-words text-dim">
        Call #{run.number} of <code className="font-mono text-sm">{tool}</code> is added to the examples in {member}'s plugin.json. Nothing else in the file changes.
      </p>
      <label htmlFor={id} className="flex flex-wrap items-center gap-2 text-sm text-dim">
        Expect
        <Select
          id={id}
          value={String(chosen)}
          options={choices.map(({ word }, index) => ({ value: String(index), label: word }))}
          onValue={(index) => setChosen(Number(index))}
          className="flex-1 text-text"
        />
      </label>
      <NameForm
        label="Name"
        verb="Save"
        onName={async (name) => {
          await hall.ask("save_example", { member, name, tool, arguments: run.arguments, expect: choices[chosen]?.expect ?? "{}" });
          return null;
        }}
        onDone={() => {
          onDone();
          spoken.set("Saved as an example.");
        }}
        onLeave={onDone}
      />
    </>
  );
}
