/** Opens a pending approval from any page, and describes it in one sentence. */
import type { Approval, ApprovalId } from "../../../ipc/bindings";
import type { Navigation } from "../../../lib/navigation/navigation";
import type { Agents } from "../agents";

/** Opens a pending approval in the Approvals tab. The approval's panel takes the focus. */
export function leadToApproval({ agents, navigation }: { readonly agents: Agents; readonly navigation: Navigation }, id: ApprovalId): void {
  agents.approvals.wanted.set(id);
  navigation.openAgents("approvals");
}

/** A sentence with the client, tool and member of a pending approval. */
export function callWord({ client, member, tool }: Approval): string {
  return `${client} wants to run ${tool} on ${member}`;
}
