/** The Connect tab: connects apps to the gateway by an entry in each app's config file. */
import { useCallback, useEffect, useState } from "react";

import type { ClientConfig, Endpoint, GatewayState } from "../../../ipc/bindings";
import { Band } from "../../../components/Badge";
import { Reading } from "../../../components/Reading";
import { ErrorReport } from "../../../components/ErrorReport";
import { number } from "../../../lib/format";
import { useHall } from "../../../lib/hall/hall";
import { EndpointPicker, useEndpoint } from "../EndpointPicker";
import { pathOf } from "../faces";
import { useLive } from "../useLive";
import { AnyClient } from "./AnyClient";
import { MoveServers } from "./MoveServers";
import { Program } from "./Program";

/** The apps and their config files. They are read again when the gateway changes and when the window gets the focus. */
function usePrograms(endpoint: Endpoint, gateway: GatewayState) {
  const hall = useHall();
  const [turn, setTurn] = useState(0);
  const renew = useCallback(() => setTurn((held) => held + 1), []);
  useEffect(() => {
    window.addEventListener("focus", renew);
    return () => window.removeEventListener("focus", renew);
  }, [renew]);
  const { value, error } = useLive("apps", [hall, pathOf(endpoint), gateway.address, gateway.port, turn], () => hall.ask("client_configs", { endpoint }));
  return { programs: value?.clients ?? null, error, renew };
}

export default function ConnectTab({ gateway }: { gateway: GatewayState }) {
  const endpoint = useEndpoint(gateway);
  const { programs, error, renew } = usePrograms(endpoint, gateway);
  const list = (label: string, some: readonly ClientConfig[]) => (
    <ul aria-label={label} className="flex flex-col gap-2">
      {some.map((program) => (
        <Program key={program.client} program={program} endpoint={endpoint} onChanged={renew} />
      ))}
    </ul>
  );
  // While the page is open, each app stays in the list in which it was first shown. A move to the other list would
  // remount its row, which would lose the outcome of the last change.
  const [absent, setAbsent] = useState<ReadonlySet<string> | null>(null);
  if (programs && absent === null) setAbsent(new Set(programs.filter(({ exists, connected }) => !exists && !connected).map(({ client }) => client)));
  const here = programs?.filter(({ client }) => absent?.has(client) !== true) ?? [];
  const others = programs?.filter(({ client }) => absent?.has(client) === true) ?? [];
  return (
    <div className="flex max-w-4xl flex-col gap-6 p-5">
      <EndpointPicker gateway={gateway} />
      {gateway.address === null && (
        <Band tone="warn" icon="warning">The gateway is off. Connected apps can&apos;t reach your tools until you turn it on.</Band>
      )}
      {error && <ErrorReport report={error} />}
      {!programs && !error && <Reading what="the apps' files" className="" />}
      {programs && (
        <section aria-labelledby="connect-here" className="flex flex-col gap-2">
          <h2 id="connect-here" className="font-semibold">On this computer</h2>
          <p className="text-dim">Guild Hall adds one entry with its own token to each app&apos;s config. Nothing else in the file changes.</p>
          {here.length === 0 ? <p className="text-dim">No supported apps found on this computer</p> : list("On this computer", here)}
        </section>
      )}
      <MoveServers onChanged={renew} />
      {others.length > 0 && (
        <details open={here.length === 0}>
          <summary className="mb-2 font-semibold">Not installed ({number(others.length)})</summary>
          {list("Not installed", others)}
        </details>
      )}
      <AnyClient gateway={gateway} endpoint={endpoint} />
    </div>
  );
}
