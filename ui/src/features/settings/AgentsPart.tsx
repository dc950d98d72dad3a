/** The state of the gateway, and a button that opens the gateway's page. */
import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { ErrorReport } from "../../components/ErrorReport";
import { useAgents } from "../agents/agents";

export function AgentsPart({ port }: { port: number }) {
  const agents = useAgents();
  const navigation = useNavigation();
  const gateway = useStore(agents.gateway, (state) => state);
  return (
    <>
      {gateway && <p>{gateway.address === null ? "The gateway isn't running." : `Running at ${gateway.address}`}</p>}
      {gateway?.error && <ErrorReport report={gateway.error} />}
      {gateway && gateway.address !== null && gateway.error === null && gateway.port !== port && <p data-testid="port-of-run" className="text-dim">Guild Hall was started with `--gateway-port {String(gateway.port)}`, which overrides the setting.</p>}
      <p className="flex flex-wrap gap-2">
        <Button onClick={() => navigation.openAgents("gateway")}>Open Agents</Button>
        <Button onClick={() => navigation.openAgents("policies")}>Permissions</Button>
      </p>
    </>
  );
}
