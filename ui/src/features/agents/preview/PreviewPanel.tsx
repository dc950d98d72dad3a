/** The panel "What agents see": an endpoint's tools, hidden tools, cost in tokens, tool search and payload. */
import { Tabs } from "radix-ui";
import { useState } from "react";

import type { AgentTool, AgentView, Endpoint, GatewayState, Listing } from "../../../ipc/bindings";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useStore } from "../../../lib/store";
import { HintMarks } from "../../../components/HintMarks";
import { Icon, Sign } from "../../../components/Icon";
import { IconButton } from "../../../components/IconButton";
import { Reading } from "../../../components/Reading";
import { Select } from "../../../components/Select";
import { SIGNS } from "../../../components/signs";
import { ErrorReport } from "../../../components/ErrorReport";
import { sizeWord } from "../../results/content";
import { TextPart } from "../../results/text/TextPart";
import { counted, number } from "../../../lib/format";
import { EndpointPicker } from "../EndpointPicker";
import { useAgents } from "../agents";
import { LISTING_NAMES, LISTINGS, pathOf, tokenWord } from "../faces";
import { RowGrid, type Column } from "../RowGrid";
import { useAgentView } from "../useAgentView";
import { Bar, Cost } from "./Cost";
import { HiddenList } from "./HiddenList";
import { SearchBench } from "./SearchBench";

const TITLE = "What agents see";
const PARTS = ["tools", "hidden", "cost", "search", "payload"] as const;
type Part = (typeof PARTS)[number];

interface Props {
  readonly gateway: GatewayState;
  readonly endpoint: Endpoint;
  /** Whether the user can select another endpoint. */
  readonly picks?: boolean;
}

export default function PreviewPanel({ gateway, endpoint, picks = false }: Props) {
  const agents = useAgents();
  const open = useStore(agents.previewing, (is) => is);
  const [asked, setAsked] = useState<Listing | null>(null);
  const { view, error, fresh } = useAgentView(endpoint, asked);
  if (!open) {
    return (
      <div className="flex shrink-0 border-line bg-sidebar wide:w-10 wide:border-s max-wide:border-t">
        <button
          type="button"
          aria-expanded={false}
          onClick={() => agents.previewing.set(true)}
          className="flex flex-1 items-center gap-2 text-sm text-dim hover:bg-hover hover:text-text wide:flex-col wide:py-3 max-wide:px-4 max-wide:py-2"
        >
          <Icon of={SIGNS.panelOpen} />
          <span className="font-medium wide:[writing-mode:vertical-rl]">{TITLE}</span>
          {view && <span className="wide:[writing-mode:vertical-rl]">{tokenWord(view.tokens[view.listing])} tokens</span>}
        </button>
      </div>
    );
  }
  return (
    <aside
      aria-label={TITLE}
      data-fresh={fresh}
      data-testid="agent-view"
      className="flex min-h-0 shrink-0 flex-col border-line bg-sidebar wide:w-[min(440px,46%)] wide:border-s max-wide:min-h-110 max-wide:border-t"
    >
      <header className="flex shrink-0 items-center gap-2 py-2 ps-4 pe-2">
        <h2 className="min-w-0 flex-1 font-semibold">{TITLE}</h2>
        <Select
          aria-label="Tool list"
          value={asked ?? ""}
          options={[{ value: "" as const, label: "Endpoint default" }, ...LISTINGS.map((one) => ({ value: one, label: LISTING_NAMES[one] }))]}
          onValue={(one) => setAsked(one === "" ? null : one)}
        />
        <IconButton icon="panelClose" label="Close the preview" onClick={() => agents.previewing.set(false)} />
      </header>
      {picks && <div className="shrink-0 px-4 pb-2"><EndpointPicker gateway={gateway} /></div>}
      {error && <ErrorReport report={error} className="mx-4 mb-2" />}
      {!view && !error && <Reading what="the preview" className="p-4" />}
      {view && <Seen view={view} endpoint={endpoint} onMember={picks ? (member) => agents.endpoint.set({ kind: "member", member }) : undefined} />}
    </aside>
  );
}

interface SeenProps {
  readonly view: AgentView;
  readonly endpoint: Endpoint;
  readonly onMember: ((member: string) => void) | undefined;
}

function Seen({ view, endpoint, onMember }: SeenProps) {
  const [part, setPart] = useState<Part>("tools");
  const titles: Readonly<Record<Part, string>> = {
    tools: `Tools (${number(view.tools.length)})`,
    hidden: `Hidden (${number(view.withheld.length)})`,
    cost: "Cost",
    search: "Search",
    payload: "Payload",
  };
  return (
    <>
      <Summary view={view} />
      <Tabs.Root value={part} onValueChange={(next) => setPart(PARTS.find((one) => one === next) ?? "tools")} className="flex min-h-72 flex-1 flex-col scant:min-h-0 scant:flex-none">
        <Tabs.List aria-label={TITLE} className="flex shrink-0 flex-wrap gap-x-3 border-b border-line px-4">
          {PARTS.map((one) => (
            <Tabs.Trigger
              key={one}
              value={one}
              className="-mb-px border-b-2 border-transparent py-1.5 text-sm font-medium text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {titles[one]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {PARTS.map((one) => (
          <Tabs.Content key={one} value={one} tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-none">
            {one === "tools" && <ToolList tools={view.tools} />}
            {one === "hidden" && <HiddenList withheld={view.withheld} />}
            {one === "cost" && <Cost view={view} onMember={onMember} />}
            {one === "search" && <SearchBench key={pathOf(endpoint)} endpoint={endpoint} tools={view.tools} />}
            {one === "payload" && <Payload view={view} />}
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </>
  );
}

const keyOfTool = ({ name }: AgentTool): string => name;
const COLUMNS: readonly Column<AgentTool>[] = [
  { title: "Name agents see", look: "min-w-0 flex-1", cell: ({ name }) => <bdi className="font-mono text-sm">{name}</bdi> },
  { title: "Hints", look: "w-12 shrink-0", cell: ({ hints }) => <HintMarks hints={hints} /> },
];

/** The tools of the endpoint, in the order of the response to `tools/list`. */
function ToolList({ tools }: { tools: readonly AgentTool[] }) {
  const navigation = useNavigation();
  if (tools.length === 0) return <p className="p-4 text-dim">No tools for agents here. See Hidden for the reasons.</p>;
  return (
    <RowGrid
      label="Tools that agents see"
      testId="agent-tools"
      rows={tools}
      keyOf={keyOfTool}
      columns={COLUMNS}
      keys="Enter opens the tool."
      onKey={({ member, tool }, key) => {
        if (key !== "Enter") return false;
        navigation.openTool(member, tool);
        return true;
      }}
    />
  );
}

/** The tokens that the tool list costs in each listing mode. The current mode is highlighted. */
function Summary({ view }: { view: AgentView }) {
  const most = Math.max(1, ...LISTINGS.map((mode) => view.tokens[mode]));
  return (
    <section aria-label="Tokens" className="shrink-0 px-4 pb-2">
      <p className="mb-1">
        {LISTING_NAMES[view.listing]}: {counted(view.listed, { one: "tool", other: "tools" })} listed, {sizeWord(view.payloadBytes)}
      </p>
      <table className="w-full text-start text-sm tabular-nums">
        <tbody>
          {LISTINGS.map((mode) => (
            <tr key={mode} aria-current={mode === view.listing} className="text-dim aria-[current=true]:font-semibold aria-[current=true]:text-text">
              <th scope="row" className="w-0 pe-3 font-[inherit]">{LISTING_NAMES[mode]}</th>
              <td className="w-0 pe-3 text-end whitespace-nowrap">≈ {number(view.tokens[mode])} tokens</td>
              <td><Bar share={view.tokens[mode] / most} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Payload({ view }: { view: AgentView }) {
  const shown = new TextEncoder().encode(view.payload).length;
  return (
    <div className="flex flex-col gap-2 p-4">
      {shown < view.payloadBytes && (
        <p data-testid="payload-cut" className="text-warn"><Sign of="warning" className="me-1" />Showing the first {sizeWord(shown)} of {sizeWord(view.payloadBytes)}. Agents get all of it.</p>
      )}
      <TextPart text={view.payload} label="result of tools/list" place="agent payload" fileName={`tools-list-${view.listing}`} />
    </div>
  );
}
