/** The Approvals tab: a list of pending approvals, the selected one in detail, and recently ended approvals. */
import { useEffect, useState, type KeyboardEvent } from "react";

import type { Approval, ApprovalId } from "../../../ipc/bindings";
import { TimeLeft } from "../../elicitation/TimeLeft";
import { useFocusLeft } from "../../elicitation/useFocusLeft";
import { useStore } from "../../../lib/store";
import { EmptyState } from "../../../components/EmptyState";
import { ErrorReport } from "../../../components/ErrorReport";
import { number } from "../../../lib/format";
import { clock } from "../../../lib/time";
import { useAgents } from "../agents";
import { endingOf, type EndedApproval } from "./approvalStore";
import { ApprovalPanel } from "./ApprovalPanel";

/** Maximum number of ended approvals in the list, which shows the newest first. */
const ENDED_SHOWN = 10;

export default function ApprovalsTab() {
  const { approvals } = useAgents();
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

  const { around, onLeft } = useFocusLeft();

  const empty = !now && ended.length === 0;
  return (
    <div ref={around} role="group" aria-label="Pending approvals" tabIndex={-1} className="flex min-h-0 flex-1 outline-none max-wide:flex-col">
      {!empty && (
        <div className="flex shrink-0 flex-col gap-4 overflow-y-auto border-line p-3 wide:w-72 wide:border-e max-wide:border-b">
          {open.length > 0 && <Waiting open={open} now={now?.id ?? null} onChoose={setChosen} />}
          {ended.length > 0 && <Ended ended={ended} />}
        </div>
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-3 overflow-y-auto p-4 max-wide:flex-none">
        {trouble && <ErrorReport report={trouble} />}
        {now ? (
          <ApprovalPanel key={now.id} approval={now} onLeft={onLeft} />
        ) : (
          <EmptyState icon="shieldCheck" title="No pending approvals">When an agent calls a tool set to Ask, you approve it here.</EmptyState>
        )}
      </div>
    </div>
  );
}

/** The list of pending approvals, oldest first. */
function Waiting({ open, now, onChoose }: { open: readonly Approval[]; now: ApprovalId | null; onChoose: (id: ApprovalId) => void }) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const place = open.findIndex(({ id }) => id === now) + by;
    const next = open[place];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    event.currentTarget.querySelectorAll("button")[place]?.focus();
  };
  return (
    <nav aria-label={`${number(open.length)} pending`}>
      <p className="mb-1 px-2 text-sm text-dim">{number(open.length)} pending{open.length > 1 && ", oldest first"}</p>
      {/* The arrow keys move between the buttons, which are the interactive elements. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ol onKeyDown={onKeyDown} className="max-wide:max-h-48 max-wide:overflow-y-auto">
        {open.map((approval) => (
          <li key={approval.id}>
            <button
              type="button"
              aria-current={approval.id === now}
              onClick={() => onChoose(approval.id)}
              className={`flex w-full flex-col rounded-sm px-2 py-1.5 text-start ${approval.id === now ? "bg-selected" : "hover:bg-hover"}`}
            >
              <bdi className="max-w-full font-medium break-words">{approval.tool}</bdi>
              <span className="max-w-full text-sm break-words text-dim"><bdi>{approval.client}</bdi> on <bdi>{approval.member}</bdi></span>
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
    <section aria-labelledby="ended-title" className="px-2">
      <h2 id="ended-title" className="mb-1 text-sm font-medium">Recent</h2>
      <ul className="text-sm text-dim">
        {ended.slice(-ENDED_SHOWN).reverse().map((one) => (
          <li key={one.approval.id} className="break-words">
            <span className="tabular-nums">{clock(one.endedAtMs).slice(0, 8)}</span> {endingOf(one)}: <bdi>{one.approval.client}</bdi>, <bdi>{one.approval.tool}</bdi> on <bdi>{one.approval.member}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
