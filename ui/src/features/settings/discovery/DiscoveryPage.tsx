/** The page for tool detection, which finds the tools of servers that don't list them, and for its settings. */
import { Reading } from "../../../components/Reading";
import { ErrorReport } from "../../../components/ErrorReport";
import { useHall } from "../../../lib/hall/hall";
import { WAYS } from "../../../lib/words/found";
import { DiscoveryForm } from "./DiscoveryForm";
import { useDiscovery } from "./useDiscovery";

export default function DiscoveryPage() {
  const hall = useHall();
  const { state, trouble, change } = useDiscovery(hall);
  return (
    <article className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-6" aria-labelledby="discovery-title">
      <h1 id="discovery-title" className="text-xl font-semibold tracking-[-0.012em]">Tool detection</h1>
      <p className="text-dim">If a server doesn't list its tools correctly, Guild Hall tries these methods in order:</p>
      <ol aria-label="Methods" className="list-decimal ps-6 text-dim">
        {WAYS.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ol>
      {trouble && <ErrorReport report={trouble} />}
      {!state && !trouble && <Reading what="config.yml" className="" />}
      {state && <DiscoveryForm state={state} change={change} />}
    </article>
  );
}
