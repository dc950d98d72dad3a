/** The agents' calls that wait for a person, one at a time, and how the last ones ended. */
import { useEffect, useRef, useState } from "react";

import { useHouse } from "../../app/house";
import type { Approval, ApprovalId } from "../../bridge/bindings";
import { TimeLeft } from "../../elicitation/TimeLeft";
import { useStore } from "../../hall/store";
import { Trouble } from "../../parts/Trouble";
import { counted } from "../../words/format";
import { clock } from "../../words/time";
import { policyFace } from "../faces";
import { endingOf, type EndedApproval } from "./approvalDesk";
import { ApprovalPanel } from "./ApprovalPanel";
import { callWord } from "./lead";

/** So many ended calls are shown, the newest. */
const ENDED_SHOWN = 10;

export default function ApprovalsTab() {
  const { approvals } = useHouse().agents;
  const all = useStore(approvals.open, (open) => open);
  const ended = useStore(approvals.ended, (list) => list);
  const trouble = useStore(approvals.trouble, (report) => report);
  const wanted = useStore(approvals.wanted, (id) => id);
  const [chosen, setChosen] = useState<ApprovalId | null>(null);
  if (wanted !== null && wanted !== chosen && all.has(wanted)) setChosen(wanted);
  const open = [...all.values()];
  const now = open.find(({ id }) => id === chosen) ?? open[0];
  useEffect(() => {
    approvals.shown.set(true);
    return () => approvals.shown.set(false);
  }, [approvals]);

  const around = useRef<HTMLDivElement>(null);
  const lost = useRef(false);
  // A panel that goes with the focus inside leaves it here, not on a button of the next call.
  useEffect(() => {
    if (!lost.current) return;
    lost.current = false;
    around.current?.focus();
  });

  return (
    <div ref={around} role="group" aria-label="Calls that wait" tabIndex={-1} className="flex max-w-4xl flex-col gap-3 p-4 outline-none">
      {trouble && <Trouble report={trouble} />}
      {open.length > 1 && <Waiting open={open} now={now?.id ?? null} onChoose={setChosen} />}
      {now ? (
        <ApprovalPanel
          key={now.id}
          approval={now}
          onLeft={() => {
            lost.current = true;
          }}
        />
      ) : (
        <p className="text-dim">
          No agent's call waits. A call of a tool whose policy is <em>{policyFace("ask").word}</em> waits here until you allow or deny it.
        </p>
      )}
      {ended.length > 0 && <Ended ended={ended} />}
    </div>
  );
}

/** All that wait, the oldest first. */
function Waiting({ open, now, onChoose }: { open: readonly Approval[]; now: ApprovalId | null; onChoose: (id: ApprovalId) => void }) {
  return (
    <nav aria-label={counted(open.length, { one: "call waits", other: "calls wait" })}>
      <p className="text-sm text-dim">{counted(open.length, { one: "call waits", other: "calls wait" })}, the oldest first</p>
      <ol className="max-h-48 overflow-y-auto rounded-md border border-line">
        {open.map((approval) => (
          <li key={approval.id} className="border-b border-line last:border-0">
            <button
              type="button"
              aria-current={approval.id === now}
              onClick={() => onChoose(approval.id)}
              className={`flex w-full flex-wrap items-baseline gap-x-2 px-2 py-0.5 text-start ${approval.id === now ? "bg-selected" : "hover:bg-hover"}`}
            >
              <span className="min-w-0 flex-1 break-words">
                <bdi>{approval.client}</bdi> wants to call <bdi>{approval.tool}</bdi> of <bdi>{approval.member}</bdi>
              </span>
              <TimeLeft untilMs={approval.expiresAtMs} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Ended({ ended }: { ended: readonly EndedApproval[] }) {
  return (
    <section aria-labelledby="ended-title">
      <h2 id="ended-title" className="text-sm text-dim">Decided or ended</h2>
      <ul className="text-sm text-dim">
        {ended.slice(-ENDED_SHOWN).reverse().map((one) => (
          <li key={one.approval.id} className="break-words">
            <span className="tabular-nums">{clock(one.endedAtMs).slice(0, 8)}</span> {callWord(one.approval)}: {endingOf(one)}
          </li>
        ))}
      </ul>
    </section>
  );
}
