/** Tells of an agent's call that waits, wherever a person is, and leads there. It never takes the focus. */
import { useEffect } from "react";

import { useHouse } from "../../app/house";
import type { ApprovalId } from "../../bridge/bindings";
import { TimeLeft } from "../../elicitation/TimeLeft";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { isFocusNowhere } from "../../parts/focus";
import { SpokenNews } from "../../parts/SpokenNews";
import { counted } from "../../words/count";
import { keyLabel } from "../../words/keys";
import { endingOf } from "./approvalDesk";
import { callWord, leadToApproval } from "./lead";

/** The status bar's button, which is drawn elsewhere. */
const COUNT = "approval-count";

/** A line above the status bar, for the oldest call that is not on the screen and not put off. */
export function ApprovalBar() {
  const house = useHouse();
  const { spoken } = house;
  const { approvals } = house.agents;
  const open = useStore(approvals.open, (all) => all);
  useEffect(
    () =>
      approvals.ended.subscribe(() => {
        const last = approvals.ended.get().at(-1);
        // What a person decided here need not be told again.
        if (last?.decision === null) spoken.set(`${callWord(last.approval)}: ${endingOf(last)}`);
      }),
    [approvals, spoken],
  );
  const shown = useStore(approvals.shown, (is) => is);
  const later = useStore(approvals.later, (ids) => ids);
  const waiting = shown ? [] : [...open.values()].filter(({ id }) => !later.has(id));
  const [next] = waiting;
  const putOff = (id: ApprovalId) => {
    approvals.putOff(id);
    // The notice takes its button along; the status bar is where the call stays.
    requestAnimationFrame(() => {
      if (isFocusNowhere()) document.getElementById(COUNT)?.focus();
    });
  };
  return (
    <>
      <SpokenNews open={open} words={callWord} testid="approval-alert" />
      {next && (
        <section aria-label="An agent asks" className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 border-t border-warn bg-warn-fill px-3">
          <p className="flex min-w-0 flex-[1_1_240px] gap-1">
            <span aria-hidden className="text-warn">▲</span>
            <bdi className="max-w-[40%] shrink-0 truncate font-medium">{next.client}</bdi>
            <span className="shrink-0">wants to call</span>
            <bdi className="min-w-0 truncate font-medium">{next.tool}</bdi>
            <span className="min-w-0 truncate text-dim">of {next.member}</span>
          </p>
          {waiting.length > 1 && <span className="text-sm whitespace-nowrap text-dim">and {waiting.length - 1} more</span>}
          <TimeLeft untilMs={next.expiresAtMs} />
          <Button look="accent" title={keyLabel("Ctrl+Shift+D")} onClick={() => leadToApproval(house, next.id)}>
            Decide
          </Button>
          <Button look="quiet" title="Put this notice away; the status bar keeps the call" onClick={() => putOff(next.id)}>
            Later
          </Button>
        </section>
      )}
    </>
  );
}

/** How many calls wait; for the status bar. */
export function ApprovalCount() {
  const house = useHouse();
  const open = useStore(house.agents.approvals.open, (all) => all);
  const [oldest] = open.values();
  if (!oldest) return null;
  return (
    <button
      type="button"
      id={COUNT}
      className="rounded-sm px-1 text-warn hover:bg-hover"
      title={`Decide about the oldest (${keyLabel("Ctrl+Shift+D")})`}
      onClick={() => leadToApproval(house, oldest.id)}
    >
      <span aria-hidden>▲</span> {counted(open.size, "call waits", "calls wait")}
    </button>
  );
}
