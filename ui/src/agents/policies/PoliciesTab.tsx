/** The policies of all tools: what agents may call, what a person is asked for, what is denied. */
import { useMemo, useState } from "react";

import type { GatewayState, Report } from "../../bridge/bindings";
import { Button } from "../../parts/Button";
import { HintMarks } from "../../parts/HintMarks";
import { Reading } from "../../parts/Reading";
import { Trouble } from "../../parts/Trouble";
import { counted } from "../../words/count";
import { ALL_MEMBERS } from "../agents";
import { SELECT } from "../EndpointPicker";
import { RowGrid, type Column } from "../RowGrid";
import { EVERY_TOOL, filtered, KINDS, keyOfRow, rowsOf, type ToolFilter, type ToolRow } from "../tools";
import { useAgentView } from "../useAgentView";
import { POLICY_ORDER, policyFace } from "../words";
import { PolicyChoice, POLICY_KEYS } from "./PolicyChoice";
import { useSetPolicy } from "./useSetPolicy";

const KIND_WORDS: Readonly<Record<(typeof KINDS)[number], string>> = {
  any: "any hints",
  "read-only": "read-only",
  changes: "not read-only",
  destructive: "destructive",
};

const reasonOf = ({ message, hint }: Report): string => `${message} ${hint}`;

export default function PoliciesTab({ gateway }: { gateway: GatewayState }) {
  // A menu is the smallest payload; the tools behind it are the same in each mode.
  const { view, error, fresh } = useAgentView(ALL_MEMBERS, "search");
  const [filter, setFilter] = useState<ToolFilter>(EVERY_TOOL);
  const { set, onKey } = useSetPolicy();
  const rows = useMemo(() => (view ? [...rowsOf(view)].sort(byName) : []), [view]);
  const shown = useMemo(() => filtered(rows, filter), [rows, filter]);
  const members = useMemo(() => [...new Set(rows.map(({ member }) => member))], [rows]);
  const columns = useMemo(
    (): Column<ToolRow>[] => [
      { title: "Member", look: "w-36 shrink-0 text-dim @max-4xl:w-28 @max-xl:w-24", cell: ({ member }) => <bdi title={member}>{member}</bdi> },
      {
        title: "Tool",
        look: "min-w-0 flex-1",
        cell: ({ tool, withheld }) => (
          <>
            <bdi title={tool}>{tool}</bdi>
            {withheld && <span className="text-sm text-dim @4xl:hidden" title={reasonOf(withheld)}> ‖ {withheld.message}</span>}
          </>
        ),
      },
      { title: "Hints", look: "w-16 shrink-0 @max-md:hidden", cell: ({ hints }) => <HintMarks hints={hints} /> },
      { title: "Policy", look: "w-52 shrink-0 @max-md:w-44", cell: (row) => <PolicyChoice governed={row} onPolicy={(policy) => set(row, policy)} /> },
      {
        title: "Withheld",
        look: "w-56 shrink-0 text-sm text-dim @max-4xl:hidden",
        cell: ({ withheld }) => withheld && <span title={reasonOf(withheld)}>‖ {withheld.message}</span>,
      },
    ],
    [set],
  );
  const narrow = (changes: Partial<ToolFilter>) => setFilter({ ...filter, ...changes });
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-fresh={fresh} data-testid="policies">
      <p className="shrink-0 px-4 pt-2 text-dim">
        A policy holds for every client, in the list and in the call. {gateway.profiles.length > 0 && "A profile may be stricter, never looser."}
      </p>
      <div role="search" aria-label="Tools" className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <input
          type="search"
          aria-label="Words of the name"
          placeholder="Words of the name…"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={filter.text}
          onChange={(event) => narrow({ text: event.target.value })}
          className="h-6 min-w-32 flex-[0_1_260px] rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
        />
        <select aria-label="Member" className={SELECT} value={filter.member ?? ""} onChange={(event) => narrow({ member: event.target.value || null })}>
          <option value="">any member</option>
          {members.map((member) => (
            <option key={member}>{member}</option>
          ))}
        </select>
        <select
          aria-label="Policy"
          className={SELECT}
          value={filter.policy ?? ""}
          onChange={(event) => narrow({ policy: POLICY_ORDER.find((one) => one === event.target.value) ?? null })}
        >
          <option value="">any policy</option>
          {POLICY_ORDER.map((one) => (
            <option key={one} value={one}>{`${policyFace(one).shape} ${one}`}</option>
          ))}
        </select>
        <select
          aria-label="What the server says of it"
          className={SELECT}
          value={filter.kind}
          onChange={(event) => narrow({ kind: KINDS.find((one) => one === event.target.value) ?? "any" })}
        >
          {KINDS.map((one) => (
            <option key={one} value={one}>{KIND_WORDS[one]}</option>
          ))}
        </select>
        <span role="status" className="text-sm text-dim" data-testid="policy-count">
          {view && (shown.length === rows.length ? counted(rows.length, "tool") : `${shown.length.toLocaleString("en")} of ${counted(rows.length, "tool")}`)}
        </span>
      </div>
      {error && <Trouble report={error} className="m-4 mb-0" />}
      {!view && !error && <Reading what="the tools" className="p-4" />}
      {view && rows.length === 0 && <p className="p-4 text-dim">No member has any tool.</p>}
      {rows.length > 0 && shown.length === 0 && (
        <div className="p-4">
          <p>No tool fits.</p>
          <Button className="mt-2" onClick={() => setFilter(EVERY_TOOL)}>Clear filters</Button>
        </div>
      )}
      {shown.length > 0 && (
        <RowGrid label="Policies of all tools" testId="policy-table" rows={shown} keyOf={keyOfRow} columns={columns} keys={POLICY_KEYS} onKey={onKey} />
      )}
    </div>
  );
}

function byName(a: ToolRow, b: ToolRow): number {
  if (a.member !== b.member) return a.member < b.member ? -1 : 1;
  return a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0;
}
