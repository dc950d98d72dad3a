import { lazy, Suspense } from "react";

import { ApprovalCount } from "../agents/approvals/ApprovalBar";
import { GatewayMark } from "../agents/GatewayMark";
import { runningRuns } from "../hall/workbench";
import { countMembers } from "../hall/state";
import { useStore } from "../hall/store";
import { FoundMark } from "../found/FoundMark";
import { QuestionCount } from "../elicitation/QuestionBar";
import { Sign } from "../parts/Icon";
import { KeyMark } from "../parts/KeyMark";
import type { SignName } from "../parts/signs";
import { UpdateMark } from "../settings/UpdateMark";
import { counted } from "../words/format";
import { words as frame } from "../words/frame";
import { useHouse } from "./house";

const CallsMenu = lazy(() => import("../tool/CallsMenu"));

export function StatusBar() {
  const house = useHouse();
  const members = useStore(house.hall.state, (state) => state.members);
  const sheets = useStore(house.bench.sheets, (all) => all);
  const warnings = useStore(house.hall.state, (state) => state.warnings.length);
  const version = useStore(house.hall.info, (info) => info?.version);
  const own = runningRuns(sheets);
  const ran = useStore(house.bench.sheets, (all) => [...all.values()].some(({ runs }) => runs.length > 0));
  const counts = countMembers(members);
  // A member counts agents' calls too; one of ours is known here a moment earlier.
  const calls = Math.max(own.length, members.reduce((sum, member) => sum + member.calls, 0));
  return (
    <footer
      data-region
      className="flex h-6 shrink-0 items-center gap-x-4 overflow-hidden border-t border-line bg-surface px-3 text-sm whitespace-nowrap text-dim max-narrow:h-auto max-narrow:min-h-6 max-narrow:flex-wrap max-narrow:gap-x-2 max-narrow:whitespace-normal"
    >
      <span className="flex gap-x-3 max-narrow:flex-wrap max-narrow:gap-x-2" data-testid="counts">
        <Count shape="dot" colour="text-ok" text={frame.ready(counts.ready)} />
        {counts.starting > 0 && <Count shape="dashes" colour="text-warn" text={frame.starting(counts.starting)} />}
        {counts.failed > 0 && <Count shape="diamond" colour="text-bad" text={frame.failed(counts.failed)} />}
      </span>
      {calls > 0 && (
        <span className="flex items-center gap-2">
          {frame.callsRunning(calls)}
          {own[0] && (
            <button
              type="button"
              className="rounded-sm px-1 text-accent hover:bg-hover"
              onClick={() => own[0] && void house.hall.cancel(own[0].call)}
            >
              cancel <KeyMark of="cancel" className="text-dim" />
            </button>
          )}
        </span>
      )}
      {ran && (
        <Suspense>
          <CallsMenu />
        </Suspense>
      )}
      <ApprovalCount />
      <QuestionCount />
      <FoundMark />
      <UpdateMark />
      <div className="ms-auto flex items-center gap-x-4 max-narrow:flex-wrap max-narrow:justify-end max-narrow:gap-x-2">
        <GatewayMark />
        {warnings > 0 && (
          <button
            type="button"
            className="rounded-sm px-1 text-warn hover:bg-hover"
            onClick={() => house.layers.toggle("warnings")}
          >
            <Sign of="warning" className="me-1" />{counted(warnings, { one: "warning", other: "warnings" })}
          </button>
        )}
        {version !== undefined && (
          <button
            type="button"
            title="Save a bundle for a bug report"
            className="rounded-sm px-1 hover:bg-hover hover:text-text max-narrow:hidden"
            onClick={() => house.layers.open("bundle")}
          >
            {frame.version(version)}
          </button>
        )}
      </div>
    </footer>
  );
}

function Count({ shape, colour, text }: { shape: SignName; colour: string; text: string }) {
  return (
    <span>
      <Sign of={shape} className={`me-1 ${colour}`} />
      {text}
    </span>
  );
}
