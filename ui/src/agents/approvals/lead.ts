/** The ways from anywhere to a call that waits for a person. */
import type { House } from "../../app/house";
import type { Approval, ApprovalId } from "../../bridge/bindings";
import { words } from "../../words/approvals";

/** Shows a call among those that wait. It takes the focus. */
export function leadToApproval(house: House, id: ApprovalId): void {
  house.agents.approvals.wanted.set(id);
  house.openAgents("approvals");
}

/** Who wants to call what. */
export function callWord({ client, member, tool }: Approval): string {
  return words.wantsToCall(client, member, tool);
}
