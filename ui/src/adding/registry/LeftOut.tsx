/** Entries of a source that are wrong: they are left out, and hide no other. */
import type { RegistryLeftOut } from "../../bridge/bindings";
import { exact } from "../../parts/exact";
import { words } from "../../words/registry";

export function LeftOut({ entries, count }: { entries: readonly RegistryLeftOut[]; count: number }) {
  if (count === 0) return null;
  return (
    <details className="text-sm" data-testid="registry-left-out">
      <summary className="cursor-default">
        <span aria-hidden className="text-warn">▲ </span>
        {words.leftOut(count)}
      </summary>
      <ul className="max-h-40 overflow-y-auto text-dim">
        {entries.map(({ at, name, why }) => (
          <li key={at} className="wrap-anywhere select-text">
            {words.entry(at)}{name !== "" && ` (${exact(name)})`}: {exact(why)}
          </li>
        ))}
      </ul>
      {count > entries.length && <p className="text-dim">{words.andMore(count - entries.length)}</p>}
    </details>
  );
}
