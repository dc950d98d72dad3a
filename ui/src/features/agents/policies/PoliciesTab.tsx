/** The Permissions tab: the scope and the rules on the left, every tool with its permission on the right. */
import { useMemo, useState } from "react";

import type { GatewayState, ProfileName } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { Badge } from "../../../components/Badge";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { Reading } from "../../../components/Reading";
import { Segmented } from "../../../components/Segmented";
import { Select } from "../../../components/Select";
import { ErrorReport } from "../../../components/ErrorReport";
import { counted, number } from "../../../lib/format";
import { ALL_MEMBERS, useAgents } from "../agents";
import { useEndpoint } from "../EndpointPicker";
import PreviewPanel from "../preview/PreviewPanel";
import { EVERYTHING, filtered, isGoverned, isOffer, keyOfRow, ordered, rowsOf, type CatalogRow, type Order, type RowFilter } from "./catalogRows";
import { FilterBar } from "./FilterBar";
import { RulesPanel, type RulesAlert } from "./RulesPanel";
import { SelectionBar } from "./SelectionBar";
import { ToolsTable } from "./ToolsTable";
import { useCatalog, useToolTitles } from "./useCatalog";
import { useSetPolicy } from "./useSetPolicy";

/** The badges of the Rules button. They report the state of the rules while a narrow window hides them. */
const ALERTS: Record<RulesAlert, { tone: "bad" | "warn"; word: string }> = {
  failed: { tone: "bad", word: "Not saved" },
  unsaved: { tone: "warn", word: "Unsaved changes" },
  labels: { tone: "warn", word: "Warning" },
};

export default function PoliciesTab({ gateway }: { gateway: GatewayState }) {
  const agents = useAgents();
  const hall = useHall();
  const spoken = useSpoken();
  const wanted = useStore(agents.governed, (now) => now);
  const known = gateway.profiles.find(({ name }) => name === wanted);
  const profile: ProfileName | null = known?.name ?? null;
  const endpoint = useEndpoint(gateway);
  const previewing = useStore(agents.previewing, (is) => is);
  const { catalog, error, fresh } = useCatalog(profile);
  const [filter, setFilter] = useState<RowFilter>(EVERYTHING);
  const [order, setOrder] = useState<Order>("name");
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  /** Whether the rules are expanded in a narrow window. A wide window always shows them beside the table. */
  const [rulesOpen, setRulesOpen] = useState(false);
  const [rulesAlert, setRulesAlert] = useState<RulesAlert | null>(null);
  const { set, onKey } = useSetPolicy(profile);
  const titles = useToolTitles();
  const rows = useMemo(() => (catalog ? rowsOf(catalog, titles) : []), [catalog, titles]);
  const shown = useMemo(() => ordered(filtered(rows, filter), order), [rows, filter, order]);
  const members = useMemo(() => catalog?.members.map(({ member }) => member) ?? [], [catalog]);
  // Rows that the filter hides don't count as selected, because users must not change rows that they don't see.
  const chosen = useMemo(() => shown.filter((row) => ticked.has(keyOfRow(row))).filter(isGoverned), [shown, ticked]);
  const chosenKeys = useMemo(() => new Set(chosen.map(keyOfRow)), [chosen]);
  const undo = () =>
    void agents.policies.takeBack().then((refused) => {
      if (refused) hall.tell(refused);
      else spoken.set("Change undone");
    });
  /** The rows to which a shortcut applies: the selected rows, or the active row if none is selected. */
  const meant = (row: CatalogRow) => (chosen.length > 0 ? chosen : isGoverned(row) ? [row] : []);
  // A new scope also selects the scope's endpoint in the preview, where the user can select another one.
  const govern = (name: string) => {
    agents.governed.set(name || null);
    agents.endpoint.set(name === "" ? ALL_MEMBERS : { kind: "profile", profile: name });
  };
  const scopes = [{ value: "", label: "Everywhere" }, ...gateway.profiles.map(({ name }) => ({ value: name, label: name }))];
  return (
    <div className="flex min-h-0 flex-1 max-wide:flex-col max-wide:overflow-y-auto" data-fresh={fresh} data-testid="policies">
      <div className={`flex shrink-0 flex-col gap-4 border-line px-5 py-4 max-wide:gap-2 max-wide:py-2 wide:w-60 wide:overflow-y-auto wide:border-e max-wide:border-b ${previewing ? "wide:max-[1400px]:hidden" : ""}`}>
        <div className="flex flex-col gap-1.5 wide:border-b wide:border-line wide:pb-4">
          <span id="policies-scope" className="font-semibold">Applies to</span>
          {gateway.profiles.length < 3 ? (
            <Segmented aria-labelledby="policies-scope" className="self-start" value={profile ?? ""} options={scopes} onValue={govern} />
          ) : (
            <Select aria-labelledby="policies-scope" value={profile ?? ""} options={scopes} onValue={govern} />
          )}
          <p className="text-sm text-dim">
            {profile === null ? "Your choices override rules. Rules override plugin.json, but never loosen a Deny." : "A profile can restrict permissions, not loosen them."}
          </p>
        </div>
        <Button look="quiet" className="self-start wide:hidden" aria-expanded={rulesOpen} aria-controls="policies-rules" onClick={() => setRulesOpen(!rulesOpen)}>
          <Sign of={rulesOpen ? "chevronDown" : "chevronRight"} />
          Rules
          {rulesAlert && <Badge tone={ALERTS[rulesAlert].tone} icon="warning">{ALERTS[rulesAlert].word}</Badge>}
        </Button>
        <div id="policies-rules" className={`flex flex-1 flex-col gap-4 ${rulesOpen ? "" : "max-wide:hidden"}`}>
          <RulesPanel key={profile ?? ""} profile={profile} rules={known?.rules ?? gateway.rules} onAlert={setRulesAlert} />
          <p className="mt-auto text-sm text-dim">Hints are reported by the server.</p>
        </div>
      </div>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col max-wide:min-h-80 max-wide:shrink-0">
        <FilterBar filter={filter} onFilter={setFilter} order={order} onOrder={setOrder} members={members} count={catalog ? countWords(shown, rows) : ""} />
        {error && <ErrorReport report={error} className="m-4 mb-0" />}
        {!catalog && !error && <Reading what="the tools" className="p-4" />}
        {catalog && !rows.some(({ member }) => member !== null) && <p className="p-4 text-dim">{profile === null ? "No tools yet. Add a member, or refresh the tools in the roster." : "This profile has no tools. Add some under Profiles."}</p>}
        {rows.length > 0 && shown.length === 0 && (
          <div className="p-4">
            <p data-testid="policies-none">No matching tools</p>
            <Button className="mt-2" onClick={() => setFilter(EVERYTHING)}>Clear filters</Button>
          </div>
        )}
        {shown.length > 0 && (
          <div className="relative flex min-h-0 flex-1 flex-col">
            {chosen.length > 0 && <SelectionBar chosen={chosen.length} onPolicy={(policy) => set(chosen.map(toolOf), policy)} onNone={() => setTicked(new Set())} />}
            <ToolsTable
              rows={shown}
              profile={profile}
              chosen={chosenKeys}
              onChosen={setTicked}
              onPolicy={(row, policy) => set([toolOf(row)], policy)}
              onKey={(row, key) => onKey(meant(row).map(toolOf), key)}
              onUndo={undo}
            />
          </div>
        )}
      </div>
      <PreviewPanel gateway={gateway} endpoint={endpoint} picks />
    </div>
  );
}

const toolOf = ({ member, tool }: { member: string; tool: string }) => ({ member, tool });

/** The number of shown rows as text, such as `3 tools` or `2 of 3 tools and 1 unread member`. */
function countWords(shown: readonly CatalogRow[], all: readonly CatalogRow[]): string {
  const tools = (rows: readonly CatalogRow[]) => rows.filter((row) => row.tool !== null && !isOffer(row)).length;
  const unread = shown.filter(({ tool }) => tool === null).length;
  return `${shown.length === all.length ? "" : `${number(tools(shown))} of `}${counted(tools(all), { one: "tool", other: "tools" })}${unread === 0 ? "" : ` and ${counted(unread, { one: "unread member", other: "unread members" })}`}`;
}
