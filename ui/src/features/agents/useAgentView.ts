import type { Endpoint, Listing } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { useAgents } from "./agents";
import { pathOf } from "./faces";
import { useLive } from "./useLive";

/** An agent's view of an endpoint. */
export function useAgentView(endpoint: Endpoint, listing: Listing | null) {
  const hall = useHall();
  const agents = useAgents();
  const gateway = useStore(agents.gateway, (now) => now);
  const generations = useStore(hall.state, (state) => state.generations);
  // A disabled member has no tools for agents, though its list is the same.
  const off = useStore(hall.state, ({ members }) => members.filter(({ status }) => status === "disabled").map(({ name }) => name).join("\n"));
  const { value: view, ...rest } = useLive(`${pathOf(endpoint)} ${listing ?? ""}`, [hall, gateway, generations, off], () => hall.ask("view_as_agent", { endpoint, listing }));
  return { view, ...rest };
}
