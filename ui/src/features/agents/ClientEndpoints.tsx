/** The endpoints at which a client's token is accepted: a label that lists them, and the sheet that changes them. */
import { useId, useState } from "react";

import type { AgentClient, Endpoint, GatewayState } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useSpoken } from "../../lib/spoken";
import { useStore } from "../../lib/store";
import { useOperation } from "../../lib/useOperation";
import { Button } from "../../components/Button";
import { Sheet } from "../../components/Sheet";
import { ErrorReport } from "../../components/ErrorReport";
import { ALL_MEMBERS, useAgents } from "./agents";
import { endpointWord, pathOf } from "./faces";
import { notify } from "./notify";

/** The existing endpoints: of all members, of each profile and of each member. */
export function useEndpoints(gateway: GatewayState): readonly Endpoint[] {
  const hall = useHall();
  const members = useStore(hall.state, (state) => state.members);
  return [
    ALL_MEMBERS,
    ...gateway.profiles.map(({ name }): Endpoint => ({ kind: "profile", profile: name })),
    ...members.map(({ name }): Endpoint => ({ kind: "member", member: name })),
  ];
}

export function endpointsWord(endpoints: AgentClient["endpoints"]): string {
  if (endpoints === null) return "All endpoints";
  return endpoints.length === 0 ? "None" : endpoints.map(endpointWord).join(", ");
}

const isIn = (endpoints: readonly Endpoint[], endpoint: Endpoint) => endpoints.some((one) => pathOf(one) === pathOf(endpoint));

export function ClientEndpoints({ client, gateway, onClose }: { client: AgentClient; gateway: GatewayState; onClose: () => void }) {
  const agents = useAgents();
  const hall = useHall();
  const spoken = useSpoken();
  const operation = useOperation();
  const group = useId();
  const [all, setAll] = useState(client.endpoints === null);
  const [chosen, setChosen] = useState<readonly Endpoint[]>(client.endpoints ?? []);
  const existing = useEndpoints(gateway);
  const removed = (client.endpoints ?? []).filter((one) => !isIn(existing, one));
  const choose = (endpoint: Endpoint, on: boolean) =>
    setChosen((now) => (on ? [...now, endpoint] : now.filter((one) => pathOf(one) !== pathOf(endpoint))));
  const save = () =>
    operation.go(async () => {
      const refused = await agents.change("bind_agent_client", { client: client.id, endpoints: all ? null : [...chosen] });
      if (refused) return refused;
      notify({ hall, spoken }, `Changed the endpoints of ${client.name}`);
      onClose();
      return null;
    });
  return (
    <Sheet title={<>Endpoints of <bdi>{client.name}</bdi></>} testid="client-endpoints" onClose={onClose}>
      <div className="flex flex-col gap-3 p-4">
        <p className="text-dim">Its token is accepted only here. A change ends its calls everywhere else at once.</p>
        {[true, false].map((everywhere) => (
          <label key={String(everywhere)} className="flex items-center gap-2">
            <input type="radio" name={group} checked={all === everywhere} onChange={() => setAll(everywhere)} />
            {everywhere ? "All endpoints" : "Only these endpoints"}
          </label>
        ))}
        {!all && (
          <ul className="flex flex-col gap-1 ps-6">
            {[...existing, ...removed].map((endpoint) => (
              <li key={pathOf(endpoint)}>
                <label className="flex flex-wrap items-center gap-x-2">
                  <input type="checkbox" checked={isIn(chosen, endpoint)} onChange={({ target }) => choose(endpoint, target.checked)} />
                  <bdi>{endpointWord(endpoint)}</bdi>
                  <code className="font-mono text-sm break-all text-dim">{pathOf(endpoint)}</code>
                  {isIn(removed, endpoint) && <span className="text-warn">Removed</span>}
                </label>
              </li>
            ))}
          </ul>
        )}
        {!all && chosen.length === 0 && <p className="text-warn">Without an endpoint, the token is accepted nowhere.</p>}
        {operation.problem && <ErrorReport report={operation.problem} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button unavailable={operation.busy ? "Saving…" : undefined} onClick={() => void save()}>Save endpoints</Button>
        </div>
      </div>
    </Sheet>
  );
}
