/** A token and a config entry for a client that Guild Hall doesn't know. */
import { useState } from "react";

import type { Endpoint, GatewayState } from "../../../ipc/bindings";
import { useStore } from "../../../lib/store";
import { Segmented } from "../../../components/Segmented";
import { AddClient, NewToken } from "../Clients";
import { useAgents } from "../agents";
import { addressOf } from "../faces";
import { Snippet } from "./Program";

const FORMATS = [{ value: "json", label: "JSON" }, { value: "toml", label: "TOML" }] as const;
type Format = (typeof FORMATS)[number]["value"];

/** The gateway's config entry in the structure that most clients read. */
function snippetOf(format: Format, url: string, token: string | null): string {
  const headers = token === null ? null : { Authorization: `Bearer ${token}` };
  if (format === "json") return JSON.stringify({ mcpServers: { "guild-hall": { type: "http", url, ...(headers && { headers }) } } }, null, 2);
  return `[mcp_servers.guild-hall]\nurl = "${url}"${headers ? `\nhttp_headers = { Authorization = "${headers.Authorization}" }` : ""}`;
}

export function AnyClient({ gateway, endpoint }: { gateway: GatewayState; endpoint: Endpoint }) {
  const agents = useAgents();
  const added = useStore(agents.added, (one) => one);
  const [format, setFormat] = useState<Format>("json");
  const token = added?.token ?? (gateway.tokensRequired ? "TOKEN" : null);
  return (
    <section aria-labelledby="any-client" data-testid="any-client" className="flex flex-col gap-3">
      <div>
        <h2 id="any-client" className="font-semibold">Any other client</h2>
        <p className="text-dim">
          {gateway.tokensRequired ? "Add a client to get a token, then copy the entry into the config of your app. It uses HTTP." : "Copy the entry into the config of your app. It uses HTTP and needs no token."}
        </p>
      </div>
      {gateway.tokensRequired && (added ? <NewToken added={added} onDone={() => agents.added.set(null)} /> : <AddClient gateway={gateway} endpoint={endpoint} onAdded={(one) => agents.added.set(one)} />)}
      <Segmented aria-label="Format of the entry" className="self-start" value={format} options={FORMATS} onValue={setFormat} />
      <Snippet
        text={snippetOf(format, addressOf(gateway, endpoint), token)}
        title={added || token === null ? "Config entry" : "Config entry. Replace TOKEN with the token of your client."}
        label="Config entry for any client"
        copied="the config entry"
      />
    </section>
  );
}
