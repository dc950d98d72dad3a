/** Mock data for tests and screenshots of agents' views. */
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import members from "../../testing/members.json";
import { recorded } from "../../testing/recorded";

const ALL = { kind: "all" } as const;

/** Recorded responses of the engine to `view_as_agent`. */
export const agentView = recorded("view_as_agent", { endpoint: ALL, listing: null });
export const agentViewOfMember = recorded("view_as_agent", { endpoint: { kind: "member", member: "smithy" } });
export const agentViewOfNothing = recorded("view_as_agent", {}, "nothing");
export const agentViewAfterDenial = recorded("view_as_agent", {}, "denied");
export const agentViewUnderPolicies = recorded("view_as_agent", {}, "policies");

/** A mock of the member `smithy`, which the recorded views contain. */
export function smithy() {
  const tools = members.smithy.map(({ name, description, inputSchema: input, annotations }) =>
    mockTool("smithy", {
      name,
      description,
      input,
      hints: { destructive: annotations.destructiveHint ?? null, readOnly: annotations.readOnlyHint ?? null },
    }),
  );
  return mockMember(mockView("smithy"), tools);
}

/** A view with 2,000 tools, to test virtualized lists. */
export function viewOfMany(): typeof agentView {
  const [tool] = agentView.tools;
  const [cost] = agentView.members;
  if (tool === undefined || cost === undefined) throw new Error("no recorded tool");
  const tools = Array.from({ length: 2_000 }, (_, index) => {
    const own = `item_${String(index).padStart(4, "0")}`;
    return { ...tool, name: `warehouse__${own}`, member: "warehouse", tool: own };
  });
  return { ...agentView, tools, members: [cost, { ...cost, member: "warehouse", tools: 2_000, tokens: { full: 60_000, lazy: 40_000, search: 0 } }] };
}
