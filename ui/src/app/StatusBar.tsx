/** The status bar: member counts, running calls, waiting approvals and questions, and the gateway's state. */
import { lazy, Suspense } from "react";

import { ApprovalCount } from "../features/agents/approvals/ApprovalBar";
import { GatewayMark } from "../features/agents/GatewayMark";
import { QuestionCount } from "../features/elicitation/QuestionBar";
import { useHall } from "../lib/hall/hall";
import { countMembers, type MemberState } from "../lib/hall/state";
import { useLayers } from "../lib/layers";
import { useRosterPanel } from "../lib/rosterPanel";
import { useStore } from "../lib/store";
import { runningRuns, useWorkbench } from "../features/tool/workbench";
import { Sign } from "../components/Icon";
import type { SignName } from "../components/signs";
import { UpdateMark } from "../features/settings/UpdateMark";
import { counted } from "../lib/format";
import { words as frame } from "../lib/words/frame";

const CallsMenu = lazy(() => import("../features/tool/CallsMenu"));

export function StatusBar() {
  const hall = useHall();
  const bench = useWorkbench();
  const layers = useLayers();
  const members = useStore(hall.state, (state) => state.members);
  const sheets = useStore(bench.sheets, (all) => all);
  const warnings = useStore(hall.state, (state) => state.warnings.length);
  const ran = useStore(bench.sheets, (all) => [...all.values()].some(({ runs }) => runs.length > 0));
  const counts = countMembers(members);
  // A member's count includes agents' calls, but it counts this window's calls later than the workbench does. The
  // larger number is shown.
  const calls = Math.max(runningRuns(sheets).length, members.reduce((sum, member) => sum + member.calls, 0));
  const running = calls > 0 && <span>{frame.callsRunning(calls)}</span>;
  return (
    <footer
      data-region
      className="flex h-6 shrink-0 items-center gap-x-4 overflow-hidden border-t border-line bg-sidebar px-2 text-sm whitespace-nowrap text-dim max-narrow:h-auto max-narrow:min-h-6 max-narrow:flex-wrap max-narrow:gap-x-2 max-narrow:whitespace-normal"
    >
      <span className="flex gap-x-2 max-narrow:flex-wrap" data-testid="counts">
        <Count state="ready" shape="dot" colour="text-ok" text={frame.ready(counts.ready)} />
        {counts.starting > 0 && <Count state="starting" shape="dashes" colour="text-warn" text={frame.starting(counts.starting)} />}
        {counts.failed > 0 && <Count state="failed" shape="diamond" colour="text-bad" text={frame.failed(counts.failed)} />}
      </span>
      {ran ? (
        <Suspense fallback={running}>
          <CallsMenu calls={calls} />
        </Suspense>
      ) : (
        running
      )}
      <ApprovalCount />
      <QuestionCount />
      <UpdateMark />
      <div className="ms-auto flex items-center gap-x-4 max-narrow:flex-wrap max-narrow:justify-end max-narrow:gap-x-2">
        {warnings > 0 && (
          <button type="button" className="rounded-sm px-1 text-warn hover:bg-hover" onClick={() => layers.toggle("warnings")}>
            <Sign of="warning" className="me-1" />{counted(warnings, { one: "warning", other: "warnings" })}
          </button>
        )}
        <GatewayMark />
      </div>
    </footer>
  );
}

/** The count of members in a state. A click filters the roster to these members. */
function Count({ state, shape, colour, text }: { state: MemberState; shape: SignName; colour: string; text: string }) {
  const roster = useRosterPanel();
  const chosen = useStore(roster.shownState, (now) => now === state);
  return (
    <button type="button" aria-pressed={chosen} className="rounded-sm px-1 hover:bg-hover hover:text-text aria-pressed:bg-selected aria-pressed:text-text" onClick={() => roster.filter(state)}>
      <Sign of={shape} className={`me-1 ${colour}`} />
      {text}
    </button>
  );
}
