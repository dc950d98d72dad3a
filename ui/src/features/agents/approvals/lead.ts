/** Opens pending approvals from anywhere. */
import type { Approval, ApprovalId } from "../../../ipc/bindings";
import type { Navigation } from "../../../lib/navigation/navigation";
import type { Agents } from "../agents";

/** Shows a pending call, which takes the focus. */
export function leadToApproval({ agents, navigation }: { readonly agents: Agents; readonly navigation: Navigation }, id: ApprovalId): void {
  agents.approvals.wanted.set(id);
  navigation.openAgents("approvals");
}

/** The client, tool and member of a pending call, in one sentence. */
export function callWord({ client, member, tool }: Approval): string {
  return `${client} wants to run ${tool} on ${member}`;
}
