import { DropdownMenu } from "radix-ui";
import { useId } from "react";

import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { useToolDesk } from "./desk";
import { sheetKey, type Run, useWorkbench } from "./workbench";
import { Icon, Sign } from "../../components/Icon";
import { SIGNS } from "../../components/signs";
import { useNow } from "../../lib/useNow";
import { duration, wholeDuration } from "../../lib/time";
import { runFace } from "./runFace";

interface Props {
  /** Oldest first. */
  readonly runs: readonly Run[];
  readonly shown: Run | null;
  /** Whether the menu is open. Its owner keeps this, because the menu moves to another header when a call ends. */
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Compares the shown call with another one. */
  readonly onCompare: (other: Run) => void;
}

const ITEM = "flex cursor-default items-center gap-2 rounded-sm px-2 py-1 outline-none data-disabled:opacity-50 data-highlighted:bg-hover";

/** The tool's last calls, to show one of them or to compare it. Absent until there are two. */
export function Runs({ runs, shown, open, onOpenChange, onCompare }: Props) {
  const bench = useWorkbench();
  const desk = useToolDesk();
  const navigation = useNavigation();
  const seen = useStore(desk.seen, (calls) => calls);
  const now = useNow(1_000, runs.some((run) => !run.outcome));
  const label = useId();
  if (runs.length < 2 || shown === null) return null;
  const other = shown.outcome ? runs.findLast((run) => run.outcome !== null && run !== shown) : undefined;
  return (
    <DropdownMenu.Root modal={false} {...{ open, onOpenChange }}>
      <DropdownMenu.Trigger aria-label={`Call ${shown.number} of this tool`} className="flex h-7 items-center gap-1 rounded-sm px-1.5 text-dim hover:bg-hover hover:text-text data-[state=open]:bg-hover">
        #{shown.number}
        <Icon of={SIGNS.chevronDown} size={14} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={4} collisionPadding={8} className="z-30 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 overflow-y-auto rounded-md bg-raised p-1 shadow-(--shadow)">
          <DropdownMenu.RadioGroup
            aria-labelledby={label}
            value={shown.call}
            onValueChange={(call) => bench.show(sheetKey(shown.member, shown.tool), call)}
          >
            <DropdownMenu.Label id={label} className="px-2 py-1 text-sm text-faint">Calls of this tool</DropdownMenu.Label>
            {[...runs].reverse().map((run) => {
              const face = runFace(run);
              return (
                <DropdownMenu.RadioItem key={run.call} value={run.call} className={`${ITEM} data-[state=checked]:bg-selected`}>
                  <span className="w-7 text-dim">#{run.number}</span>
                  <Sign of={face.shape} className={face.colour} />
                  <span className="grow">{face.word}</span>
                  {run.outcome !== null && !seen.has(run.call) && run !== shown && <strong className="font-semibold text-accent">new</strong>}
                  <span className="text-sm text-dim">{run.outcome ? duration(run.outcome.durationMs) : wholeDuration(now - run.startedAtMs)}</span>
                </DropdownMenu.RadioItem>
              );
            })}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item className={ITEM} disabled={other === undefined} onSelect={() => other && onCompare(other)}>
            {other === undefined ? "Compare: needs two finished calls" : `Compare with #${other.number}`}
          </DropdownMenu.Item>
          <DropdownMenu.Item className={ITEM} onSelect={() => navigation.openHistory()}>Open in history</DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
