/** The tools that an agent can call, in the order of the list, each with its policy. */
import { useMemo } from "react";

import { useHouse } from "../../app/house";
import type { AgentView, Endpoint } from "../../bridge/bindings";
import { HintMarks } from "../../parts/HintMarks";
import { PolicyChoice } from "../policies/PolicyChoice";
import { useSetPolicy } from "../policies/useSetPolicy";
import { RowGrid, type Column } from "../RowGrid";
import { keyOfRow, rowsOf, type ToolRow } from "../tools";

const KEYS = "On a row, A allows, S asks first, D denies, and M resets to inherited.";

export function ToolTable({ view, endpoint }: { view: AgentView; endpoint: Endpoint }) {
  const house = useHouse();
  const profile = endpoint.kind === "profile" ? endpoint.profile : null;
  const { set, onKey } = useSetPolicy(profile);
  const rows = useMemo(() => rowsOf(view.tools), [view.tools]);
  const columns = useMemo(
    (): Column<ToolRow>[] => [
      { title: "Name agents see", look: "min-w-0 flex-1", cell: ({ name }) => <bdi className="font-mono text-sm" title={name}>{name}</bdi> },
      { title: "Hints", look: "w-16 shrink-0 @max-md:hidden", cell: ({ hints }) => <HintMarks hints={hints} /> },
      { title: "Member", look: "w-40 shrink-0 text-dim @max-2xl:hidden", cell: ({ member }) => <bdi title={member}>{member}</bdi> },
      { title: "Permission", look: "w-52 shrink-0 @max-md:w-44", cell: (row) => <PolicyChoice governed={row} profile={profile} onPolicy={(policy) => set([row], policy)} /> },
    ],
    [set, profile],
  );
  if (rows.length === 0) return <p className="p-4 text-dim">No tools for agents here. See Hidden for the reasons.</p>;
  return (
    <RowGrid
      label="Tools that agents see"
      testId="agent-tools"
      rows={rows}
      keyOf={keyOfRow}
      columns={columns}
      keys={`Enter opens the tool. ${KEYS}`}
      onKey={(row, key) => {
        if (key !== "Enter") return onKey([row], key);
        house.openTool(row.member, row.tool);
        return true;
      }}
    />
  );
}
