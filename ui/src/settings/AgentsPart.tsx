/** How the gateway fares, and the way to where it is set. */
import { useHouse } from "../app/house";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Trouble } from "../parts/Trouble";

export const GATEWAY_LINE = "Profiles, policies and who may call are set on the agents' page.";

export function AgentsPart({ port }: { port: number }) {
  const house = useHouse();
  const gateway = useStore(house.agents.gateway, (state) => state);
  return (
    <>
      {gateway && <p>{gateway.address === null ? "The gateway is closed." : `The gateway listens at ${gateway.address}.`}</p>}
      {gateway?.error && <Trouble report={gateway.error} />}
      {gateway && gateway.address !== null && gateway.error === null && gateway.port !== port && <p data-testid="port-of-run" className="text-dim">This run was started with port {String(gateway.port)} (`--gateway-port`), which comes before the setting.</p>}
      <p className="text-sm text-dim">{GATEWAY_LINE}</p>
      <p className="pt-1">
        <Button onClick={() => house.openAgents("gateway")}>Open the agents' page</Button>
      </p>
    </>
  );
}
