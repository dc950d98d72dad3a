/** The status bar's list of this window's calls: running calls, and finished calls that the user has not seen. */
import { Popover } from "radix-ui";
import { useEffect, useMemo, useRef } from "react";

import type { CallId } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useNavigation, type Navigation } from "../../lib/navigation/navigation";
import { useSpoken } from "../../lib/spoken";
import { useStore } from "../../lib/store";
import { sheetKey, type Run, useWorkbench, type Workbench } from "./workbench";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { KeyMark } from "../../components/KeyMark";
import { PopoverPane } from "../../components/PopoverPane";
import { useNow } from "../../lib/useNow";
import { counted } from "../../lib/format";
import { words as frame } from "../../lib/words/frame";
import { duration, wholeDuration } from "../../lib/time";
import { endedUnseen, useToolPageState } from "./pageState";
import { runFace } from "./runFace";

/** Maximum calls in the list. */
const LISTED = 40;

function endedWords(runs: readonly Run[]): string {
  const [first] = runs;
  if (!first) return "";
  const { word } = runFace(first);
  return runs.length === 1 ? `${first.tool} of ${first.member}: ${word}` : `${counted(runs.length, { one: "call", other: "calls" })} ended, the newest ${first.tool} of ${first.member}: ${word}`;
}

function openRun({ bench, navigation }: { readonly bench: Workbench; readonly navigation: Navigation }, run: Run): void {
  bench.show(sheetKey(run.member, run.tool), run.call);
  navigation.openTool(run.member, run.tool);
}

export default function CallsMenu({ calls }: { calls: number }) {
  const bench = useWorkbench();
  const pageState = useToolPageState();
  const navigation = useNavigation();
  const sheets = useStore(bench.sheets, (all) => all);
  const seen = useStore(pageState.seen, (calls) => calls);
  const runs = useMemo(
    () => [...sheets.values()].flatMap((sheet) => sheet.runs).sort((a, b) => b.startedAtMs - a.startedAtMs),
    [sheets],
  );
  const unseen = endedUnseen(runs, seen);
  useAnnounceEnds(unseen);
  if (runs.length === 0) return null;
  const [newest] = unseen;
  return (
    <span className="flex min-w-0 items-center gap-1">
      <Popover.Root>
        <Popover.Trigger className="rounded-sm px-1 hover:bg-hover hover:text-text">
          {calls > 0 ? <><Sign of="dashes" className="me-1 text-warn" />{frame.callsRunning(calls)}</> : "Calls"} <Sign of="chevronUp" />
        </Popover.Trigger>
        <PopoverPane align="start" side="top" sideOffset={6} className="max-h-[60vh] w-[min(520px,94vw)] overflow-y-auto p-1">
          <CallList runs={runs} unseen={unseen} />
        </PopoverPane>
      </Popover.Root>
      {newest && (
        <button type="button" className="min-w-0 truncate rounded-sm px-1 text-accent hover:bg-hover" onClick={() => openRun({ bench, navigation }, newest)}>
          <Sign of={runFace(newest).shape} className={`me-1 ${runFace(newest).colour}`} />{endedWords(unseen)}
        </button>
      )}
    </span>
  );
}

/** Announces to screen readers each call that ends while its result is not shown. */
function useAnnounceEnds(unseen: readonly Run[]): void {
  const pageState = useToolPageState();
  const spoken = useSpoken();
  const announced = useRef<ReadonlySet<CallId>>(new Set());
  const calls = unseen.map(({ call }) => call).join();
  const ended = endedWords(unseen);
  useEffect(() => {
    const now = new Set(calls === "" ? [] : calls.split(","));
    // A call whose result is shown is marked as seen when it ends, so it is not announced.
    if ([...now].some((call) => !announced.current.has(call) && !pageState.seen.get().has(call))) spoken.set(ended);
    announced.current = now;
  }, [calls, pageState, spoken, ended]);
}

function CallList({ runs, unseen }: { runs: readonly Run[]; unseen: readonly Run[] }) {
  const hall = useHall();
  const navigation = useNavigation();
  const bench = useWorkbench();
  const now = useNow(1_000, runs.some((run) => !run.outcome));
  return (
    <ul aria-label="Calls of this window">
      {runs.slice(0, LISTED).map((run) => {
        const face = runFace(run);
        return (
          <li key={run.call} className="flex items-center gap-1">
            <Popover.Close asChild>
              <button type="button" className="flex min-w-0 flex-1 items-center gap-2 rounded-sm px-2 py-0.5 text-start hover:bg-hover" onClick={() => openRun({ bench, navigation }, run)}>
                <Sign of={face.shape} className={`me-1 ${face.colour}`} /><span className="min-w-0 flex-1 truncate">
                  {run.member} <span aria-hidden className="text-faint">›</span> {run.tool} <span className="text-dim">#{run.number}</span>
                </span>
                <span className="text-sm text-dim">
                  {face.word} {run.outcome ? duration(run.outcome.durationMs) : wholeDuration(now - run.startedAtMs)}
                </span>
                {unseen.includes(run) && <strong className="text-sm font-semibold text-accent">new</strong>}
              </button>
            </Popover.Close>
            {!run.outcome && (
              <Button look="quiet" className="h-5" aria-label={`Cancel ${run.tool} of ${run.member}, call ${run.number}`} onClick={() => void hall.cancel(run.call)}>
                Cancel
              </Button>
            )}
          </li>
        );
      })}
      <li className="mt-1 border-t border-line pt-1">
        <Popover.Close asChild>
          <button type="button" className="w-full rounded-sm px-2 py-0.5 text-start text-dim hover:bg-hover hover:text-text" onClick={() => navigation.openHistory()}>
            Open history <KeyMark of="dock" />
          </button>
        </Popover.Close>
      </li>
    </ul>
  );
}
