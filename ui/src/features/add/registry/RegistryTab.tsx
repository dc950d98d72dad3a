/** The registry tab: a search in an MCP registry with a list of servers, or the details of one server. */
import { useEffect } from "react";

import { useNavigation } from "../../../lib/navigation/navigation";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { exact } from "../../../lib/exact";
import { ErrorReport } from "../../../components/ErrorReport";
import { useNow } from "../../../lib/useNow";
import { ago } from "../../../lib/time";
import { Foot } from "../frame";
import { ServerDetail } from "./ServerDetail";
import { ServerList } from "./ServerList";
import { useRegistryStore } from "./registryStore";

/** The interval at which the label of the response's age is updated. */
const AGO_MS = 10_000;

export default function RegistryTab() {
  const registry = useRegistryStore();
  const looked = useStore(registry.looked, (now) => now !== null);
  useEffect(() => registry.watch(), [registry]);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3" data-testid="registry">
      <div className={looked ? "hidden" : "contents"}>
        <ServerList />
        <SourceLine />
      </div>
      {looked ? <ServerDetail /> : <Foot />}
    </div>
  );
}

/** The address of the registry that responded, and the age of the response. */
function SourceLine() {
  const registry = useRegistryStore();
  const navigation = useNavigation();
  const source = useStore(registry.search, (search) => search.source);
  const now = useNow(AGO_MS);
  const unread = source?.unread ?? null;
  return (
    <section aria-label="Registry" className="flex shrink-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {source && (
          <>
            <code className="min-w-0 font-mono text-sm wrap-anywhere text-dim select-text">{exact(source.source)}</code>
            <span className="text-sm text-faint" data-testid="registry-age">as of {ago(source.asOfMs, now)}</span>
          </>
        )}
        <Button look="quiet" className="ms-auto -me-2.5" onClick={() => navigation.openSettings("general")}>Change registry…</Button>
      </div>
      {unread && (
        <div data-testid="registry-offline" className="flex flex-col gap-1">
          <p><Sign of="warning" className="text-warn me-1" />The registry can't be reached now. This list is from an answer {ago(source?.asOfMs ?? now, now)}.</p>
          <ErrorReport report={unread} />
        </div>
      )}
    </section>
  );
}
