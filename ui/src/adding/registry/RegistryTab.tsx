/** A search for servers in an MCP registry: which registry, the servers found, and what each would run. */
import { useEffect } from "react";

import { useHouse } from "../../app/house";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { Sign } from "../../parts/Icon";
import { exact } from "../../parts/exact";
import { Trouble } from "../../parts/Trouble";
import { useNow } from "../../parts/useNow";
import { ago } from "../../words/time";
import { ServerDetail } from "./ServerDetail";
import { ServerList } from "./ServerList";

/** How often the age of an answer is drawn again. */
const AGO_MS = 10_000;

export default function RegistryTab() {
  const { registry } = useHouse();
  useEffect(() => registry.watch(), [registry]);
  return (
    <div className="@container flex min-h-0 flex-1 flex-col gap-3 p-4" data-testid="registry">
      <SourceLine />
      <div className="flex min-h-64 flex-1 flex-col gap-3 @3xl:flex-row">
        <ServerList />
        <ServerDetail />
      </div>
    </div>
  );
}

/** The registry that answered, and how old its answer is. */
function SourceLine() {
  const house = useHouse();
  const source = useStore(house.registry.search, (search) => search.source);
  const now = useNow(AGO_MS);
  const unread = source?.unread ?? null;
  return (
    <section aria-label="Registry" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {source && (
          <>
            <code className="min-w-0 font-mono text-sm wrap-anywhere select-text">{exact(source.source)}</code>
            <span className="text-dim" data-testid="registry-age">as of {ago(source.asOfMs, now)}</span>
          </>
        )}
        <Button className="ms-auto" onClick={() => house.openSettings("general")}>Change registry…</Button>
      </div>
      {unread && (
        <div data-testid="registry-offline" className="flex flex-col gap-1">
          <p><Sign of="warning" className="text-warn me-1" />The registry can't be reached now. This list is from an answer {ago(source?.asOfMs ?? now, now)}.</p>
          <Trouble report={unread} />
        </div>
      )}
    </section>
  );
}
