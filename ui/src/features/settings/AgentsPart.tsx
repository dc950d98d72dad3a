/** The state of the gateway, and the way to its page. */
import { useHouse } from "../../app/house";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { Trouble } from "../../components/Trouble";

export function AgentsPart({ port }: { port: number }) {
  const house = useHouse();
  const gateway = useStore(house.agents.gateway, (state) => state);
  return (
    <>
      {gateway && <p>{gateway.address === null ? "The gateway isn't running." : `Running at ${gateway.address}`}</p>}
      {gateway?.error && <Trouble report={gateway.error} />}
      {gateway && gateway.address !== null && gateway.error === null && gateway.port !== port && <p data-testid="port-of-run" className="text-dim">Guild Hall was started with `--gateway-port {String(gateway.port)}`, which overrides the setting.</p>}
      <p className="flex flex-wrap gap-2">
        <Button onClick={() => house.openAgents("gateway")}>Open Agents</Button>
        <Button onClick={() => house.openAgents("policies")}>Permissions</Button>
      </p>
    </>
  );
}
