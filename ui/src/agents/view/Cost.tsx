/** What each member's tools cost, the dearest first. */
import { useMemo } from "react";

import type { AgentView, MemberName } from "../../bridge/bindings";
import { number } from "../../words/format";

export function Cost({ view, onMember }: { view: AgentView; onMember: (member: MemberName) => void }) {
  // The menu is the same for everybody: by member, the stubs are what differs.
  const mode = view.listing === "full" ? "full" : "lazy";
  const members = useMemo(() => [...view.members].sort((a, b) => b.tokens[mode] - a.tokens[mode]), [view.members, mode]);
  const most = Math.max(1, ...members.map(({ tokens }) => tokens[mode]));
  if (members.length === 0) return <p className="text-dim">No tools here yet. Choose another endpoint or start a member.</p>;
  return (
    <>
      {view.listing === "search" && <p className="mb-2 text-dim">Search mode has a fixed cost. These are the costs in full mode.</p>}
      <table className="w-full max-w-4xl text-start tabular-nums">
        <thead className="text-sm text-dim">
          <tr className="border-b border-line">
            <th className="py-1 pe-4 font-normal">Member</th>
            <th className="py-1 pe-4 text-end font-normal">Tools</th>
            <th className="py-1 pe-4 text-end font-normal" aria-sort={mode === "lazy" ? "descending" : undefined}><code className="font-sans">lazy</code></th>
            <th className="py-1 pe-4 text-end font-normal" aria-sort={mode === "full" ? "descending" : undefined}><code className="font-sans">full</code></th>
            <th className="w-2/5 py-1 font-normal">Share of {mode}</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ member, tools, tokens }) => (
            <tr key={member} className="border-b border-line">
              <th scope="row" className="max-w-60 py-1 pe-4 font-normal">
                <button type="button" className="max-w-full truncate rounded-sm hover:underline" title={`Show ${member} only`} onClick={() => onMember(member)}>
                  {member}
                </button>
              </th>
              <td className="py-1 pe-4 text-end">{number(tools)}</td>
              <td className="py-1 pe-4 text-end">{number(tokens.lazy)}</td>
              <td className="py-1 pe-4 text-end">{number(tokens.full)}</td>
              <td className="py-1">
                <span aria-hidden className="block h-3 min-w-px rounded-sm bg-accent-fill" style={{ width: `${(tokens[mode] / most) * 100}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
