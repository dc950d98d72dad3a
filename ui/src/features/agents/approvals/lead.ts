/** Opens pending approvals from anywhere. */
import type { House } from "../../../app/house";
import type { Approval, ApprovalId } from "../../../ipc/bindings";

/** Shows a pending call, which takes the focus. */
export function leadToApproval(house: House, id: ApprovalId): void {
  house.agents.approvals.wanted.set(id);
  house.openAgents("approvals");
}

/** The client, tool and member of a pending call, in one sentence. */
export function callWord({ client, member, tool }: Approval): string {
  return `${client} wants to run ${tool} on ${member}`;
}
