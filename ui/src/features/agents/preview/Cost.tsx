/** A table of the tokens that each member's tools cost, in descending order. */
import { useMemo } from "react";

import type { AgentView, MemberName } from "../../../ipc/bindings";
import { number } from "../../../lib/format";
import { LISTING_NAMES } from "../faces";

interface Props {
  readonly view: AgentView;
  /** Selects the endpoint of one member; `undefined` if the user cannot select another endpoint. */
  readonly onMember: ((member: MemberName) => void) | undefined;
}

export function Cost({ view, onMember }: Props) {
  // In search mode, every endpoint has the same four tools, so the table shows the costs in lazy mode instead.
  const mode = view.listing === "full" ? "full" : "lazy";
  const members = useMemo(() => [...view.members].sort((a, b) => b.tokens[mode] - a.tokens[mode]), [view.members, mode]);
  const most = Math.max(1, ...members.map(({ tokens }) => tokens[mode]));
  if (members.length === 0) return <p className="p-4 text-dim">No tools here yet. Choose another endpoint or start a member.</p>;
  return (
    <div className="p-4">
      {view.listing === "search" && <p className="mb-2 text-dim">Search mode has a fixed cost. These are the costs in compact mode.</p>}
      <table className="w-full text-start tabular-nums">
        <thead className="text-sm text-dim">
          <tr className="border-b border-line">
            <th className="py-1 pe-3 font-normal">Member</th>
            <th className="py-1 pe-3 text-end font-normal">Tools</th>
            <th className="py-1 pe-3 text-end font-normal">{LISTING_NAMES.lazy}</th>
            <th className="py-1 pe-3 text-end font-normal">{LISTING_NAMES.full}</th>
            <th className="w-1/4 py-1 font-normal">Share</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ member, tools, tokens }) => (
            <tr key={member} className="border-b border-line">
              <th scope="row" className="max-w-40 truncate py-1 pe-3 font-normal">
                {onMember ? (
                  <button type="button" aria-label={`Show ${member} only`} className="max-w-full truncate rounded-sm hover:underline" onClick={() => onMember(member)}>{member}</button>
                ) : member}
              </th>
              <td className="py-1 pe-3 text-end">{number(tools)}</td>
              <td className="py-1 pe-3 text-end">{number(tokens.lazy)}</td>
              <td className="py-1 pe-3 text-end">{number(tokens.full)}</td>
              <td className="py-1"><Bar share={tokens[mode] / most} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A bar whose width is `share`, from 0 to 1, of the available width. */
export function Bar({ share }: { share: number }) {
  return <span aria-hidden className="block h-2 min-w-px rounded-full bg-solid" style={{ width: `${share * 100}%` }} />;
}
