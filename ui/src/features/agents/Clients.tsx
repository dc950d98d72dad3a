/** The clients of the gateway. Each client has its own token, which is shown only once. */
import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import type { AddedAgentClient, AgentClient, Endpoint, GatewayState } from "../../ipc/bindings";
import { errorOf } from "../../lib/errorOf";
import { useHall } from "../../lib/hall/hall";
import { useSpoken } from "../../lib/spoken";
import { useStore } from "../../lib/store";
import { AskFirst } from "../../components/AskFirst";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Sign } from "../../components/Icon";
import { Select } from "../../components/Select";
import { Tooltip } from "../../components/Tooltip";
import { ErrorReport } from "../../components/ErrorReport";
import { useOperation } from "../../lib/useOperation";
import { useNow } from "../../lib/useNow";
import { ago, moment } from "../../lib/time";
import { useAgents } from "./agents";
import { ClientEndpoints, endpointsWord, useEndpoints } from "./ClientEndpoints";
import { endpointWord, pathOf } from "./faces";
import { notify } from "./notify";

const NAME_MAX = 80;
const AGO_MS = 30_000;

export function Clients({ gateway }: { gateway: GatewayState }) {
  const agents = useAgents();
  const hall = useHall();
  const spoken = useSpoken();
  const added = useStore(agents.added, (one) => one);
  const [revoking, setRevoking] = useState<AgentClient | null>(null);
  const [binding, setBinding] = useState<AgentClient | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const revoke = async (client: AgentClient) => {
    const refused = await agents.change("revoke_agent_client", { client: client.id });
    if (refused) return refused;
    notify({ hall, spoken }, `${client.name} was revoked`);
    if (added?.client.id === client.id) agents.added.set(null);
    setRevoking(null);
    return null;
  };
  return (
    <section aria-labelledby="clients-title" className="flex flex-col gap-2">
      <h2 id="clients-title" ref={heading} tabIndex={-1} className="font-semibold outline-none">Clients</h2>
      {added && <NewToken added={added} onDone={() => { agents.added.set(null); heading.current?.focus(); }} />}
      <AddClient gateway={gateway} onAdded={(one) => agents.added.set(one)} />
      {gateway.clients.length === 0 ? (
        <p className="text-dim">
          No clients yet. Add one to let an app in{gateway.tokensRequired ? "." : ", or connect without a token."}
        </p>
      ) : (
        <ClientTable clients={gateway.clients} onBind={setBinding} onRevoke={setRevoking} />
      )}
      {binding && <ClientEndpoints key={binding.id} client={binding} gateway={gateway} onClose={() => setBinding(null)} />}
      {revoking && (
        <AskFirst
          title={`Revoke ${revoking.name}?`}
          does="Revoke"
          keep="Cancel"
          onDo={() => revoke(revoking)}
          onClose={() => setRevoking(null)}
          returnTo={heading}
        >
          Disconnects it now (token …{revoking.tokenEnd}). It needs a new token to connect again.
        </AskFirst>
      )}
    </section>
  );
}

interface AddClientProps {
  readonly gateway: GatewayState;
  /**
   * The only endpoint that accepts the token; the endpoint of all members means every endpoint. If undefined, the user
   * chooses.
   */
  readonly endpoint?: Endpoint;
  readonly onAdded: (added: AddedAgentClient) => void;
}

export function AddClient({ gateway, endpoint, onAdded }: AddClientProps) {
  const hall = useHall();
  const id = useId();
  const existing = useEndpoints(gateway);
  const [chosen, setChosen] = useState<Endpoint | null>(null);
  const bound = endpoint === undefined ? chosen : endpoint.kind === "all" ? null : endpoint;
  const [name, setName] = useState("");
  const operation = useOperation();
  const wanted = name.trim();
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    if (wanted === "") return;
    void operation.go(() => errorOf(async () => {
      const added = await hall.ask("add_agent_client", { name: wanted, endpoints: bound && [bound] });
      setName("");
      onAdded(added);
    }));
  };
  return (
    <form onSubmit={add} className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id}>Client name</label>
        <input
          id={id}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          maxLength={NAME_MAX}
          placeholder="claude-code on my laptop"
          value={name}
          onChange={(event) => setName(event.target.value)}
          className="h-7 min-w-0 flex-[0_1_280px] rounded-sm border border-control bg-bg px-2 placeholder:text-faint"
        />
        {endpoint === undefined && (
          <Select
            aria-label="Endpoints of the token"
            className="max-w-64"
            value={chosen === null ? "" : pathOf(chosen)}
            options={[{ value: "", label: "All endpoints" }, ...existing.map((one) => ({ value: pathOf(one), label: `Only ${endpointWord(one)}` }))]}
            onValue={(path) => setChosen(existing.find((one) => pathOf(one) === path) ?? null)}
          />
        )}
        <Button type="submit" unavailable={operation.busy ? "Saving…" : wanted === "" ? "Give it a name first" : undefined}>
          Add client
        </Button>
      </div>
      {operation.problem && <ErrorReport report={operation.problem} />}
    </form>
  );
}

/** The panel with a new client's token. Guild Hall shows each token only once. */
export function NewToken({ added, onDone }: { added: AddedAgentClient; onDone: () => void }) {
  const { client, token } = added;
  const panel = useRef<HTMLDivElement>(null);
  // The panel takes the focus, because it is the result of the user's action.
  useEffect(() => {
    panel.current?.focus();
  }, [token]);
  return (
    <div
      ref={panel}
      role="group"
      aria-label={`The token of ${client.name}`}
      tabIndex={-1}
      className="flex flex-col gap-1 rounded-md bg-warn-fill px-3 py-2"
    >
      <p className="break-words">
        <Sign of="warning" className="text-warn me-1" />
        Copy this token of <bdi className="font-medium">{client.name}</bdi> now. It won&apos;t be shown again.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="rounded-sm border border-line bg-bg px-2 font-mono break-all select-text" data-testid="new-token">{token}</code>
        <CopyButton what="the token" text={() => token} />
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}

interface ClientTableProps {
  readonly clients: readonly AgentClient[];
  readonly onBind: (client: AgentClient) => void;
  readonly onRevoke: (client: AgentClient) => void;
}

function ClientTable({ clients, onBind, onRevoke }: ClientTableProps) {
  const now = useNow(AGO_MS);
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-start">
        <thead className="text-sm text-dim">
          <tr className="border-b border-line">
            <th className="py-1 pe-4 font-normal">Client</th>
            <th className="py-1 pe-4 font-normal">Token</th>
            <th className="py-1 pe-4 font-normal">Endpoints</th>
            <th className="py-1 pe-4 font-normal">Added</th>
            <th className="py-1 pe-4 font-normal">Last used</th>
            <th className="py-1 font-normal"><span className="sr-only">Actions</span></th>
          </tr>
        </thead>
        <tbody>
          {clients.map((client) => (
            <tr key={client.id} className="border-b border-line">
              <th scope="row" className="max-w-80 py-1 pe-4 font-normal break-words"><bdi>{client.name}</bdi></th>
              <td className="py-1 pe-4 font-mono text-sm">…{client.tokenEnd}</td>
              <td className="max-w-80 py-1 pe-4 break-words"><bdi>{endpointsWord(client.endpoints)}</bdi></td>
              <td className="py-1 pe-4 whitespace-nowrap text-dim"><Tooltip text={moment(client.createdAtMs)}><span>{ago(client.createdAtMs, now)}</span></Tooltip></td>
              <td className="py-1 pe-4 whitespace-nowrap text-dim">
                <Tooltip text={client.lastUsedMs !== null && moment(client.lastUsedMs)}><span>{client.lastUsedMs === null ? "Never" : ago(client.lastUsedMs, now)}</span></Tooltip>
              </td>
              <td className="py-1 text-end whitespace-nowrap">
                <Button aria-label={`Endpoints of ${client.name}`} className="me-2" onClick={() => onBind(client)}>Endpoints…</Button>
                <Button aria-label={`Revoke ${client.name}`} onClick={() => onRevoke(client)}>Revoke…</Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
