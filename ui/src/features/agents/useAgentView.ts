import type { Endpoint, Listing } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { useAgents } from "./agents";
import { pathOf } from "./faces";
import { useLive } from "./useLive";

/** The tools that agents get from an endpoint. `listing` replaces the endpoint's listing mode unless it is `null`. */
export function useAgentView(endpoint: Endpoint, listing: Listing | null) {
  const hall = useHall();
  const agents = useAgents();
  const gateway = useStore(agents.gateway, (now) => now);
  const generations = useStore(hall.state, (state) => state.generations);
  // Agents get no tools of a disabled member. Its tool list does not change, so this view must be read again.
  const off = useStore(hall.state, ({ members }) => members.filter(({ status }) => status === "disabled").map(({ name }) => name).join("\n"));
  const { value: view, ...rest } = useLive(`${pathOf(endpoint)} ${listing ?? ""}`, [hall, gateway, generations, off], () => hall.ask("view_as_agent", { endpoint, listing }));
  return { view, ...rest };
}
