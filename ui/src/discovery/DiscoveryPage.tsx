/** How the tools of servers are found out that speak the protocol badly, and the settings of that. */
import { useHouse } from "../app/house";
import { Reading } from "../parts/Reading";
import { Trouble } from "../parts/Trouble";
import { WAYS } from "../words/found";
import { DiscoveryForm } from "./DiscoveryForm";
import { useDiscovery } from "./useDiscovery";

export default function DiscoveryPage() {
  const { hall } = useHouse();
  const { state, trouble, change } = useDiscovery(hall);
  return (
    <article className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4" aria-labelledby="discovery-title">
      <h1 id="discovery-title" className="text-lg font-semibold">Discovery of tools</h1>
      <p className="text-dim">A server that does not say its tools as the protocol has it is asked and looked through in these ways, one after the other:</p>
      <ol aria-label="Ways to a server's tools" className="list-decimal ps-6 text-dim">
        {WAYS.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ol>
      {trouble && <Trouble report={trouble} />}
      {!state && !trouble && <Reading what="config.yml" className="" />}
      {state && <DiscoveryForm state={state} change={change} />}
    </article>
  );
}
