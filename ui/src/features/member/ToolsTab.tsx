/** The Tools tab: a table of a member's tools with their hints, the permission of agents, and a Run button. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";

import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import type { MemberTab } from "../../lib/navigation/places";
import { POLICY_FACES, POLICY_ORDER } from "../agents/faces";
import { isOwn, reasonWords } from "../agents/policies/policyWords";
import { useCatalog } from "../agents/policies/useCatalog";
import { useSetPolicy } from "../agents/policies/useSetPolicy";
import type { CatalogTool, ListProblem, MemberView, Policy, ToolHints, ToolName, ToolSummary } from "../../ipc/bindings";
import { useStore } from "../../lib/store";
import { SearchField } from "../../components/SearchField";
import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Icon } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { Select } from "../../components/Select";
import { SIGNS } from "../../components/signs";
import { Tooltip } from "../../components/Tooltip";
import { ErrorReport } from "../../components/ErrorReport";
import { counted, number } from "../../lib/format";
import { whyNot } from "./verbs";

const ROW_PX = 40;
/** Maximum number of tools without a search field. */
const UNSEARCHED_MAX = 12;

interface Props {
  readonly view: MemberView;
  readonly onTab: (tab: MemberTab) => void;
}

export function ToolsTab({ view, onTab }: Props) {
  const hall = useHall();
  const list = useStore(hall.lists, (lists) => lists.get(view.name));
  const pending = useStore(hall.pending, (all) => all);
  const [query, setQuery] = useState("");
  const all = list?.tools?.tools ?? [];
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const tools = all.filter(({ name, title, summary }) => words.every((word) => `${name} ${title ?? ""} ${summary}`.toLowerCase().includes(word)));

  if (list?.error) return <ErrorReport report={list.error} className="mx-5 mt-4" />;
  if (!list?.tools && view.tools > 0) return <Reading what="the tools" />;
  if (all.length === 0) {
    const problems = <LeftOut problems={list?.tools?.problems ?? []} />;
    if (view.freshness === "live") {
      return (
        <>
          <EmptyState
            icon="wrench"
            title="No tools"
            actions={
              <>
                <Button onClick={() => onTab("log")}>Open log</Button>
                <Button unavailable={whyNot("refresh", view, pending)} onClick={() => void hall.tend("refresh_member", view.name)}>Refresh</Button>
              </>
            }
          >
            The server offers no tools.
          </EmptyState>
          {problems}
        </>
      );
    }
    const start = <Button look="accent" unavailable={whyNot("start", view, pending)} onClick={() => void hall.tend("start_member", view.name)}>Start</Button>;
    const asleep = view.status === "stopped" || view.status === "error" || view.status === "crash-loop";
    return (
      <>
        <EmptyState icon="wrench" title="Tools not loaded" actions={asleep ? start : undefined}>
          {view.status === "starting" ? "Loading tools…" : "Tools load when the member starts."}
        </EmptyState>
        {problems}
      </>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {all.length > UNSEARCHED_MAX && (
        <div className="flex shrink-0 items-center gap-3 px-5 py-2">
          <SearchField label={`Search the tools of ${view.name}`} placeholder="Search tools" value={query} onValue={setQuery} className="w-full max-w-sm" />
          {words.length > 0 && <span role="status" className="text-sm whitespace-nowrap text-dim">{tools.length === 0 ? "No matching tools" : counted(tools.length, { one: "tool", other: "tools" })}</span>}
        </div>
      )}
      {view.freshness === "outdated" && <p className="px-5 py-1 text-sm text-dim">Outdated: from an earlier version</p>}
      {tools.length > 0 && <Table view={view} tools={tools} />}
      <LeftOut problems={list?.tools?.problems ?? []} />
    </div>
  );
}

const HEAD = "sticky top-0 z-10 h-8 border-b border-line bg-bg px-2 text-start text-sm font-medium text-dim";

function Table({ view, tools }: { view: MemberView; tools: readonly ToolSummary[] }) {
  const { catalog } = useCatalog(null);
  const rulings = useMemo(() => {
    const prefix = `${view.name}/`;
    const own = catalog?.tools.filter(({ kind, name }) => kind === "mcp" && name.startsWith(prefix)) ?? [];
    return new Map<ToolName, CatalogTool>(own.map((tool) => [tool.name.slice(prefix.length), tool]));
  }, [catalog, view.name]);
  const { set } = useSetPolicy(null);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: tools.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    useFlushSync: false,
    initialRect: { width: 800, height: 800 },
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} data-viewport className="@container min-h-0 flex-1 overflow-auto short:flex-none short:overflow-visible">
      <table aria-label={`Tools of ${view.name}`} aria-rowcount={tools.length + 1} className="w-full table-fixed border-separate border-spacing-0">
        <thead>
          <tr>
            <th scope="col" className={`${HEAD} w-[26%] ps-5 @max-2xl:w-auto`}>Tool</th>
            <th scope="col" className={`${HEAD} @max-2xl:hidden`}>Description</th>
            <th scope="col" className={`${HEAD} w-48 @max-xl:hidden`}>
              <Tooltip text="Reported by the server"><span>Hints</span></Tooltip>
            </th>
            <th scope="col" className={`${HEAD} w-30`}>For agents</th>
            <th scope="col" className={`${HEAD} w-24`}><span className="sr-only">Run</span></th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map(({ index, key }) => {
            const tool = tools[index];
            return tool && (
              <ToolRow key={key} index={index} tool={tool} ruling={rulings.get(tool.name)} onPolicy={(policy) => set([{ member: tool.member, tool: tool.name }], policy)} />
            );
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly index: number;
  readonly tool: ToolSummary;
  readonly ruling: CatalogTool | undefined;
  readonly onPolicy: (policy: Policy | null) => void;
}

const CELL = "border-b border-line px-2";

function ToolRow({ index, tool, ruling, onPolicy }: RowProps) {
  const navigation = useNavigation();
  const { member, name, title, summary, hints, mark } = tool;
  return (
    // Keyboard users press the button with the tool's name instead of the row.
    <tr aria-rowindex={index + 2} style={{ height: ROW_PX }} className="cursor-default hover:bg-hover" onClick={() => navigation.openTool(member, name)}>
      <td className={`${CELL} ps-5`}>
        <Tooltip text={title === null ? summary : `${name}\n${summary}`}>
          <button type="button" className="block max-w-full truncate font-medium" onClick={() => navigation.openTool(member, name)}>
            <bdi>{title ?? name}</bdi>
          </button>
        </Tooltip>
      </td>
      <td dir="auto" className={`${CELL} truncate text-dim @max-2xl:hidden`}>{summary}</td>
      <td className={`${CELL} @max-xl:hidden`}>
        <span className="flex gap-1 overflow-hidden *:shrink-0">
          {mark && <Badge tone="warn" icon="delta">{mark === "new" ? "New" : "Changed"}</Badge>}
          <HintBadges hints={hints} />
        </span>
      </td>
      <td className={CELL} onClick={(event) => event.stopPropagation()}>
        {ruling && <Permission tool={name} ruling={ruling} onPolicy={onPolicy} />}
      </td>
      <td className={`${CELL} pe-4 text-end`}>
        <Button
          look="quiet"
          aria-label={`Run ${title ?? name}`}
          onClick={(event) => {
            event.stopPropagation();
            navigation.fillTool(member, name);
          }}
        >
          <Icon of={SIGNS.play} size={14} />
          Run
        </Button>
      </td>
    </tr>
  );
}

/** The server's hints that users should know before a call. */
function HintBadges({ hints: { readOnly, destructive, openWorld } }: { hints: ToolHints }) {
  return (
    <>
      {readOnly === true ? <Badge tone="ok" icon="eye">Read-only</Badge> : destructive === true && <Badge tone="bad" icon="warning">Destructive</Badge>}
      {openWorld === true && <Badge icon="globe">External</Badge>}
    </>
  );
}

/** A select for the permission of agents. An inherited permission shows its value, and its source in the open list. */
function Permission({ tool, ruling: { policy, policyReason }, onPolicy }: { tool: ToolName; ruling: CatalogTool; onPolicy: RowProps["onPolicy"] }) {
  if (policy === null || policyReason === null) return null;
  const own = isOwn(policyReason, null);
  const inherited = { value: "" as const, label: own ? "Inherit" : POLICY_FACES[policy].word, hint: own ? "Rules and plugin.json decide" : `Inherited: ${reasonWords(policyReason, null)}` };
  return (
    <Select<Policy | "">
      aria-label={`Permission of agents for ${tool}`}
      value={own ? policy : ""}
      options={[inherited, ...POLICY_ORDER.map((value) => ({ value, label: POLICY_FACES[value].word }))]}
      onValue={(value) => onPolicy(value === "" ? null : value)}
      className={`h-6! ${own ? "" : "text-dim"} ${own && policy === "deny" ? POLICY_FACES[policy].colour : ""}`}
    />
  );
}

/** Maximum number of invalid entries shown. A server's list can have thousands. */
const PROBLEMS_SHOWN = 200;

function LeftOut({ problems }: { problems: readonly ListProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <details className="max-h-1/2 shrink-0 overflow-y-auto border-t border-line px-5 py-2 text-sm">
      <summary className="text-warn">{counted(problems.length, { one: "entry", other: "entries" })} of the list can't be used</summary>
      <ul className="mt-1 flex flex-col gap-1 select-text">
        {problems.slice(0, PROBLEMS_SHOWN).map((problem) => (
          <li key={problem.index} className="break-words">
            <span className="text-dim">#{problem.index}</span> <bdi>{problem.name ?? "(no name)"}</bdi>: {problem.reason}
          </li>
        ))}
        {problems.length > PROBLEMS_SHOWN && <li className="text-dim">and {number(problems.length - PROBLEMS_SHOWN)} more</li>}
      </ul>
    </details>
  );
}
