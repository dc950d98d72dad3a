/**
 * Every tool there is, how it is known, and whether agents may call it: the catalogue and the policies
 * in one table, everywhere or as a profile has them.
 */
import { useMemo, useState } from "react";

import { useHouse } from "../../app/house";
import type { GatewayState, ProfileName } from "../../bridge/bindings";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { Reading } from "../../parts/Reading";
import { Trouble } from "../../parts/Trouble";
import { counted, number } from "../../words/format";
import { SELECT } from "../EndpointPicker";
import { EVERYTHING, filtered, isGoverned, isOffer, keyOfRow, ordered, rowsOf, type CatalogRow, type Order, type RowFilter } from "./catalogRows";
import { FilterBar } from "./FilterBar";
import { RulesPanel } from "./RulesPanel";
import { SelectionBar } from "./SelectionBar";
import { ToolsTable } from "./ToolsTable";
import { useCatalog } from "./useCatalog";
import { useSetPolicy } from "./useSetPolicy";

export default function PoliciesTab({ gateway }: { gateway: GatewayState }) {
  const { agents, hall, spoken } = useHouse();
  const wanted = useStore(agents.governed, (now) => now);
  const known = gateway.profiles.find(({ name }) => name === wanted);
  const profile: ProfileName | null = known?.name ?? null;
  const { catalog, error, fresh } = useCatalog(profile);
  const [filter, setFilter] = useState<RowFilter>(EVERYTHING);
  const [order, setOrder] = useState<Order>("name");
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { set, onKey } = useSetPolicy(profile);
  const rows = useMemo(() => (catalog ? rowsOf(catalog) : []), [catalog]);
  const shown = useMemo(() => ordered(filtered(rows, filter), order), [rows, filter, order]);
  const members = useMemo(() => catalog?.members.map(({ member }) => member) ?? [], [catalog]);
  // What a filter hides is not chosen: nobody changes what they do not see.
  const chosen = useMemo(() => shown.filter((row) => ticked.has(keyOfRow(row))).filter(isGoverned), [shown, ticked]);
  const chosenKeys = useMemo(() => new Set(chosen.map(keyOfRow)), [chosen]);
  const undo = () =>
    void agents.policies.takeBack().then((refused) => {
      if (refused) hall.tell(refused);
      else spoken.set("The last change is taken back.");
    });
  /** The tools that a key on a row is for. */
  const meant = (row: CatalogRow) => (chosen.length > 0 ? chosen : isGoverned(row) ? [row] : []);
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-fresh={fresh} data-testid="policies">
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-2">
        <label className="inline-flex items-center gap-2">
          Policies
          <select className={SELECT} value={profile ?? ""} onChange={(event) => agents.governed.set(event.target.value || null)}>
            <option value="">that hold everywhere</option>
            {gateway.profiles.map(({ name }) => (
              <option key={name} value={name}>of profile {name}</option>
            ))}
          </select>
        </label>
        <p className="min-w-0 flex-1 basis-60 text-dim">
          {profile === null
            ? "What is set by hand comes before the rules, these before the manifests; a rule never widens a manifest's deny."
            : "What the profile says of a tool comes before its rules. It can only be stricter than what holds everywhere."}
        </p>
      </div>
      <RulesPanel key={profile ?? ""} profile={profile} rules={known?.rules ?? gateway.rules} />
      <FilterBar filter={filter} onFilter={setFilter} order={order} onOrder={setOrder} members={members} count={catalog ? countWords(shown, rows) : ""} />
      <SelectionBar chosen={chosen.length} onPolicy={(policy) => set(chosen.map(toolOf), policy)} onNone={() => setTicked(new Set())} onUndo={undo} />
      {error && <Trouble report={error} className="m-4 mb-0" />}
      {!catalog && !error && <Reading what="the tools" className="p-4" />}
      {catalog && !rows.some(({ member }) => member !== null) && <p className="p-4 text-dim">{profile === null ? "No member has any tools. Add a member with + above the roster; the button beside it refreshes the tools." : "The profile chooses no tool. The tab Profiles says which members and tools it has."}</p>}
      {rows.length > 0 && shown.length === 0 && (
        <div className="p-4">
          <p data-testid="policies-none">No tool fits.</p>
          <Button className="mt-2" onClick={() => setFilter(EVERYTHING)}>Clear filters</Button>
        </div>
      )}
      {shown.length > 0 && (
        <ToolsTable
          rows={shown}
          profile={profile}
          chosen={chosenKeys}
          onChosen={setTicked}
          onPolicy={(row, policy) => set([toolOf(row)], policy)}
          onKey={(row, key) => onKey(meant(row).map(toolOf), key)}
          onUndo={undo}
        />
      )}
    </div>
  );
}

const toolOf = ({ member, tool }: { member: string; tool: string }) => ({ member, tool });

/** `3 tools`, `2 of 3 tools and 1 unread member`. */
function countWords(shown: readonly CatalogRow[], all: readonly CatalogRow[]): string {
  const tools = (rows: readonly CatalogRow[]) => rows.filter((row) => row.tool !== null && !isOffer(row)).length;
  const unread = shown.filter(({ tool }) => tool === null).length;
  return `${shown.length === all.length ? "" : `${number(tools(shown))} of `}${counted(tools(all), { one: "tool", other: "tools" })}${unread === 0 ? "" : ` and ${counted(unread, { one: "unread member", other: "unread members" })}`}`;
}
