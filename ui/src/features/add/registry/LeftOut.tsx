/** An expandable list of the registry's invalid entries, which are not among the search results. */
import type { RegistryLeftOut } from "../../../ipc/bindings";
import { Sign } from "../../../components/Icon";
import { exact } from "../../../lib/exact";
import { counted, number } from "../../../lib/format";

export function LeftOut({ entries, count }: { entries: readonly RegistryLeftOut[]; count: number }) {
  if (count === 0) return null;
  return (
    <details className="text-sm" data-testid="registry-left-out">
      <summary className="cursor-default">
        <Sign of="warning" className="text-warn me-1" />
        {counted(count, { one: "entry", other: "entries" })} left out
      </summary>
      <ul className="max-h-40 overflow-y-auto text-dim">
        {entries.map(({ at, name, why }) => (
          <li key={at} className="wrap-anywhere select-text">
            Entry {at}{name !== "" && ` (${exact(name)})`}: {exact(why)}
          </li>
        ))}
      </ul>
      {count > entries.length && <p className="text-dim">and {number(count - entries.length)} more</p>}
    </details>
  );
}
