import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { useToolPageState } from "./pageState";
import { sheetKey, type Run, useWorkbench } from "./workbench";
import { Icon, Sign } from "../../components/Icon";
import { Menu, type MenuItem } from "../../components/Menu";
import { SIGNS } from "../../components/signs";
import { useNow } from "../../lib/useNow";
import { duration, wholeDuration } from "../../lib/time";
import { runFace } from "./runFace";

interface Props {
  /** The tool's calls, oldest first. */
  readonly runs: readonly Run[];
  readonly shown: Run | null;
  /** Whether the menu is open. The parent holds this state, because a call's end moves the menu to another header. */
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Compares the shown call with another one. */
  readonly onCompare: (other: Run) => void;
}

/**
 * A menu of the tool's last calls, to show a call or compare it with the shown one. Hidden for fewer than two calls.
 */
export function Runs({ runs, shown, open, onOpenChange, onCompare }: Props) {
  const bench = useWorkbench();
  const pageState = useToolPageState();
  const navigation = useNavigation();
  const seen = useStore(pageState.seen, (calls) => calls);
  const now = useNow(1_000, runs.some((run) => !run.outcome));
  if (runs.length < 2 || shown === null) return null;
  const other = shown.outcome ? runs.findLast((run) => run.outcome !== null && run !== shown) : undefined;
  const line = (run: Run) => {
    const face = runFace(run);
    return (
      <span className="flex items-center gap-2">
        <span className="w-7 text-dim">#{run.number}</span>
        <Sign of={face.shape} className={face.colour} />
        <span className="grow">{face.word}</span>
        {run.outcome !== null && !seen.has(run.call) && run !== shown && <strong className="font-semibold text-accent">new</strong>}
        <span className="text-sm text-dim">{run.outcome ? duration(run.outcome.durationMs) : wholeDuration(now - run.startedAtMs)}</span>
      </span>
    );
  };
  const items: readonly MenuItem[] = [
    {
      heading: "Calls of this tool",
      items: runs.toReversed().map((run) => ({
        id: run.call,
        label: line(run),
        checked: run.call === shown.call,
        onSelect: () => bench.show(sheetKey(run.member, run.tool), run.call),
      })),
    },
    "line",
    other === undefined
      ? { label: "Compare", unavailable: "Needs two finished calls", onSelect: () => undefined }
      : { label: `Compare with #${other.number}`, onSelect: () => onCompare(other) },
    { label: "Open in history", onSelect: () => navigation.openHistory() },
  ];
  return (
    <Menu {...{ items, open, onOpenChange }}>
      <button type="button" aria-label={`Call ${shown.number} of this tool`} className="flex h-7 items-center gap-1 rounded-sm px-1.5 text-dim hover:bg-hover hover:text-text data-[state=open]:bg-hover">
        #{shown.number}
        <Icon of={SIGNS.chevronDown} size={14} />
      </button>
    </Menu>
  );
}
