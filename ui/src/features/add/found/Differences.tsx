/** A table that compares a server with servers of the same name that have other launch settings. */
import type { FoundServer } from "../../../ipc/bindings";
import { counted } from "../../../lib/format";
import { differencesOf } from "./differences";
import { programsOf } from "./faces";

/** The maximum number of servers shown side by side. */
const BESIDE_MAX = 8;
const CELL = "border border-line px-2 py-0.5 text-start align-top";

export function Differences({ server, all }: { server: FoundServer; all: readonly FoundServer[] }) {
  const others = all.filter(({ id }) => server.differs.includes(id));
  const shown = [server, ...others.slice(0, BESIDE_MAX - 1)];
  const aspects = differencesOf(shown);
  const left = others.length + 1 - shown.length;
  if (aspects.length === 0) {
    return <p className="text-sm text-dim">Only a secret differs, or something Guild Hall can't read.</p>;
  }
  return (
    // A scrollable region needs a `tabIndex`, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={`Differences of ${server.name}`} tabIndex={0} className="overflow-x-auto">
      <table className="border-collapse text-sm">
        <caption className="pb-1 text-start text-dim">
          Only what differs is shown. {left > 0 && `${counted(left, { one: "more server has", other: "more servers have" })} this name.`}
        </caption>
        <thead>
          <tr>
            <td className={CELL} />
            {shown.map(({ id, places }) => (
              <th key={id} scope="col" className={`${CELL} min-w-40`}>
                {programsOf(places)}
                {id === server.id && <span className="font-normal text-dim"> (this one)</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {aspects.map(({ title, values, hidden }) => (
            <tr key={title}>
              <th scope="row" className={`${CELL} min-w-24 font-normal wrap-anywhere text-dim`}>{title}</th>
              {shown.map(({ id }, index) => (
                <td key={id} className={`${CELL} select-text`}>
                  {values[index] == null ? (
                    <span className="text-dim">none</span>
                  ) : (
                    <code className="font-mono whitespace-pre-wrap wrap-anywhere">{values[index]}</code>
                  )}
                  {hidden && <span className="text-dim"> hidden, may differ</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
