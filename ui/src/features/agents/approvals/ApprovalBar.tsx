/** A bar on every page that announces pending approvals and opens them. */
import { useEffect, useRef } from "react";

import { useKeysOf } from "../../../lib/keys/useKeysOf";
import type { Approval } from "../../../ipc/bindings";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useSpoken } from "../../../lib/spoken";
import { useFocusLeft, useLeaving } from "../../elicitation/useFocusLeft";
import { type Kind, WaitingBar, WaitingCount } from "../../elicitation/WaitingBar";
import { useStore } from "../../../lib/store";
import { SpokenNews } from "../../../components/SpokenNews";
import { counted, keyed } from "../../../lib/format";
import { useAgents } from "../agents";
import { endingOf } from "./approvalStore";
import { DenyButton } from "./DenyButton";
import { callWord, leadToApproval } from "./lead";
import { useSettled } from "./useSettled";

const APPROVALS: Kind = {
  shape: "warning",
  colour: "text-warn",
  line: "border-warn bg-warn-fill",
  countId: "approval-count",
  title: "An agent asks",
  lead: "Review",
  putAway: "Hide this notice. The call stays under Approvals.",
};

const inWords = ({ client, member, tool }: Approval) => (
  <><bdi className="inline-block max-w-[40%] truncate align-bottom font-medium">{client}</bdi> wants to run <bdi className="font-medium">{tool}</bdi> on <bdi>{member}</bdi></>
);

export function ApprovalBar() {
  const spoken = useSpoken();
  const agents = useAgents();
  const navigation = useNavigation();
  const keys = useKeysOf("decide-approval");
  const { approvals } = agents;
  const { onLeft } = useFocusLeft();
  const open = useStore(approvals.open, (all) => all);
  useEffect(
    () =>
      approvals.ended.subscribe(() => {
        const last = approvals.ended.get().at(-1);
        // Don't announce a decision that the user made in this window.
        if (last?.decision === null) spoken.set(`${callWord(last.approval)}: ${endingOf(last)}`);
      }),
    [approvals, spoken],
  );
  const shown = useStore(approvals.shown, (is) => is);
  const later = useStore(approvals.later, (ids) => ids);
  const waiting = shown ? [] : [...open.values()].filter(({ id }) => !later.has(id));
  return (
    <>
      <SpokenNews open={open} words={callWord} testid="approval-alert" />
      <WaitingBar
        kind={APPROVALS}
        waiting={waiting}
        keys={keys}
        says={inWords}
        onLead={({ id }) => leadToApproval({ agents, navigation }, id)}
        onPutOff={({ id }) => approvals.putOff(id)}
        before={(approval) => <Deny key={approval.id} approval={approval} onLeft={onLeft} />}
      />
    </>
  );
}

function Deny({ approval, onLeft }: { approval: Approval; onLeft: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLeaving(button, onLeft);
  // After a decision, the next approval's button appears under the pointer, so it is unavailable for a short time.
  const settled = useSettled(approval.id);
  return <DenyButton ref={button} approval={approval} unavailable={settled ? undefined : "One moment…"} />;
}

/** The number of pending approvals in the status bar. A click opens the oldest one. */
export function ApprovalCount() {
  const agents = useAgents();
  const navigation = useNavigation();
  const keys = useKeysOf("decide-approval");
  const open = useStore(agents.approvals.open, (all) => all);
  const [oldest] = open.values();
  if (!oldest) return null;
  return <WaitingCount kind={APPROVALS} title={keyed("Review oldest", keys)} text={counted(open.size, { one: "pending", other: "pending" })} onLead={() => leadToApproval({ agents, navigation }, oldest.id)} />;
}
