/** A select for an endpoint of the gateway (all members, a profile or one member), with the endpoint's URL. */
import { useId } from "react";

import type { Endpoint, GatewayState } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { CopyButton } from "../../components/CopyButton";
import { Select } from "../../components/Select";
import { ALL_MEMBERS, useAgents } from "./agents";
import { useEndpoints } from "./ClientEndpoints";
import { addressOf, endpointWord, pathOf } from "./faces";

/** The selected endpoint, or the endpoint of all members if the selected member or profile no longer exists. */
export function useEndpoint(gateway: GatewayState): Endpoint {
  const hall = useHall();
  const agents = useAgents();
  const endpoint = useStore(agents.endpoint, (now) => now);
  const byName = useStore(hall.state, (state) => state.byName);
  switch (endpoint.kind) {
    case "all":
      return endpoint;
    case "member":
      return byName.has(endpoint.member) ? endpoint : ALL_MEMBERS;
    case "profile":
      return gateway.profiles.some(({ name }) => name === endpoint.profile) ? endpoint : ALL_MEMBERS;
  }
}

export function EndpointPicker({ gateway }: { gateway: GatewayState }) {
  const agents = useAgents();
  const endpoint = useEndpoint(gateway);
  const id = useId();
  const choices = useEndpoints(gateway);
  const address = addressOf(gateway, endpoint);
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-2">
      <label htmlFor={id}>Endpoint</label>
      <Select
        id={id}
        className="max-w-64"
        value={pathOf(endpoint)}
        options={choices.map((one) => ({ value: pathOf(one), label: endpointWord(one) }))}
        onValue={(path) => agents.endpoint.set(choices.find((one) => pathOf(one) === path) ?? ALL_MEMBERS)}
      />
      <span className="inline-flex min-w-0 items-center gap-1">
        <code className="font-mono text-sm break-all text-dim select-text">{address}</code>
        <CopyButton icon what="the endpoint's address" text={() => address} />
      </span>
    </span>
  );
}
