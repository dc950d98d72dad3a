/** Tells of an agent's call that waits, wherever a person is, and leads there. It never takes the focus. */
import { useEffect } from "react";

import { useHouse } from "../../app/house";
import { useKeysOf } from "../../app/useKeysOf";
import type { ApprovalId } from "../../bridge/bindings";
import { TimeLeft } from "../../elicitation/TimeLeft";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { isFocusNowhere } from "../../parts/focus";
import { Said } from "../../parts/Said";
import { SpokenNews } from "../../parts/SpokenNews";
import { words } from "../../words/approvals";
import { endingOf } from "./approvalDesk";
import { callWord, leadToApproval } from "./lead";

/** The status bar's button, which is drawn elsewhere. */
const COUNT = "approval-count";

/** A line above the status bar, for the oldest call that is not on the screen and not put off. */
export function ApprovalBar() {
  const house = useHouse();
  const keys = useKeysOf("decide-approval");
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
        <section aria-label={words.anAgentAsks} className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 border-t border-warn bg-warn-fill px-3">
          <p className="min-w-0 flex-[1_1_240px] truncate">
            <span aria-hidden className="text-warn">▲ </span>
            <Said
              text={words.asks}
              with={{
                client: <bdi className="inline-block max-w-[40%] truncate align-bottom font-medium">{next.client}</bdi>,
                tool: <bdi className="font-medium">{next.tool}</bdi>,
                member: <bdi>{next.member}</bdi>,
              }}
            />
          </p>
          {waiting.length > 1 && <span className="text-sm whitespace-nowrap text-dim">{words.andMore(waiting.length - 1)}</span>}
          <TimeLeft untilMs={next.expiresAtMs} />
          <Button look="accent" title={keys} onClick={() => leadToApproval(house, next.id)}>
            {words.decide}
          </Button>
          <Button look="quiet" title={words.putAway} onClick={() => putOff(next.id)}>
            {words.later}
          </Button>
        </section>
      )}
    </>
  );
}

/** How many calls wait; for the status bar. */
export function ApprovalCount() {
  const house = useHouse();
  const keys = useKeysOf("decide-approval");
  const open = useStore(house.agents.approvals.open, (all) => all);
  const [oldest] = open.values();
  if (!oldest) return null;
  return (
    <button
      type="button"
      id={COUNT}
      className="rounded-sm px-1 text-warn hover:bg-hover"
      title={words.decideOldest(keys)}
      onClick={() => leadToApproval(house, oldest.id)}
    >
      <span aria-hidden>▲</span> {words.wait(open.size)}
    </button>
  );
}
