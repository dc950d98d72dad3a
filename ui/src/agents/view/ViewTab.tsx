/** Previews an endpoint for an agent: its tools, the hidden ones, the payload, and the tokens these cost. */
import { Tabs } from "radix-ui";
import { useState } from "react";

import { useHouse } from "../../app/house";
import type { AgentView, Endpoint, GatewayState, Listing } from "../../bridge/bindings";
import { Sign } from "../../parts/Icon";
import { Reading } from "../../parts/Reading";
import { Select } from "../../parts/Select";
import { Trouble } from "../../parts/Trouble";
import { sizeWord } from "../../results/content";
import { TextPart } from "../../results/text/TextPart";
import { counted, number } from "../../words/format";
import { EndpointPicker, useEndpoint } from "../EndpointPicker";
import { useAgentView } from "../useAgentView";
import { LISTING_NAMES, LISTINGS, listingWords, pathOf } from "../faces";
import { Cost } from "./Cost";
import { SearchBench } from "./SearchBench";
import { ToolTable } from "./ToolTable";
import { WithheldList } from "./WithheldList";

const PARTS = ["tools", "withheld", "cost", "bench", "payload"] as const;
type Part = (typeof PARTS)[number];

export default function ViewTab({ gateway }: { gateway: GatewayState }) {
  const endpoint = useEndpoint(gateway);
  const [asked, setAsked] = useState<Listing | null>(null);
  const { view, error, fresh } = useAgentView(endpoint, asked);
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-fresh={fresh} data-testid="agent-view">
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2">
        <EndpointPicker gateway={gateway} />
        <span className="inline-flex items-center gap-2">
          <span aria-hidden>Tool list</span>
          <Select
            aria-label="Tool list"
            value={asked ?? ""}
            options={[{ value: "" as const, label: "Endpoint default" }, ...LISTINGS.map((one) => ({ value: one, label: LISTING_NAMES[one] }))]}
            onValue={(one) => setAsked(one === "" ? null : one)}
          />
        </span>
      </div>
      {error && <Trouble report={error} className="m-4 mb-0" />}
      {!view && !error && <Reading what="the preview" className="p-4" />}
      {view && <Seen view={view} endpoint={endpoint} />}
    </div>
  );
}

function Seen({ view, endpoint }: { view: AgentView; endpoint: Endpoint }) {
  const { agents } = useHouse();
  const [part, setPart] = useState<Part>("tools");
  const titles: Readonly<Record<Part, string>> = {
    tools: `Tools (${number(view.tools.length)})`,
    withheld: `Hidden (${number(view.withheld.length)})`,
    cost: "Cost by member",
    bench: "Try a search",
    payload: "Payload",
  };
  return (
    <>
      <Summary view={view} />
      <Tabs.Root value={part} onValueChange={(next) => setPart(PARTS.find((one) => one === next) ?? "tools")} className="flex min-h-72 flex-1 flex-col scant:min-h-0 scant:flex-none">
        <Tabs.List aria-label="Preview" className="flex shrink-0 flex-wrap gap-1 border-b border-line px-3">
          {PARTS.map((one) => (
            <Tabs.Trigger
              key={one}
              value={one}
              className="-mb-px border-b-2 border-transparent px-2 py-0.5 text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {titles[one]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="tools" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          <ToolTable view={view} endpoint={endpoint} />
        </Tabs.Content>
        <Tabs.Content value="withheld" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
          <WithheldList withheld={view.withheld} />
        </Tabs.Content>
        <Tabs.Content value="cost" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto p-4 outline-none">
          <Cost view={view} onMember={(member) => agents.endpoint.set({ kind: "member", member })} />
        </Tabs.Content>
        <Tabs.Content value="bench" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto p-4 outline-none">
          <SearchBench key={pathOf(endpoint)} endpoint={endpoint} tools={view.tools} />
        </Tabs.Content>
        <Tabs.Content value="payload" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto p-4 outline-none">
          <Payload view={view} />
        </Tabs.Content>
      </Tabs.Root>
    </>
  );
}

/** The tokens of each tool list; the current one is marked. */
function Summary({ view }: { view: AgentView }) {
  const { full } = view.tokens;
  return (
    <section aria-label="Tokens" className="shrink-0 overflow-x-auto px-4 py-2">
      <p className="mb-1">
        <strong className="font-semibold">{LISTING_NAMES[view.listing]}</strong>: {counted(view.listed, { one: "tool", other: "tools" })} listed, {sizeWord(view.payloadBytes)}{" "}
        <span className="text-dim">{listingWords(view.listing)}</span>
      </p>
      <table className="text-start tabular-nums">
        <thead className="text-sm text-dim">
          <tr>
            <th className="pe-6 slim:pe-2 font-normal">Tool list</th>
            <th className="pe-6 slim:pe-2 text-end font-normal">Tokens</th>
            <th className="text-end font-normal">vs. full</th>
          </tr>
        </thead>
        <tbody>
          {LISTINGS.map((mode) => {
            const tokens = view.tokens[mode];
            const shown = mode === view.listing;
            return (
              <tr key={mode} aria-current={shown} className={shown ? "font-semibold" : "text-dim"}>
                <th scope="row" className={`pe-6 slim:pe-2 ${shown ? "" : "font-normal"}`}>{shown && <Sign of="chevronRight" className="me-1" />}{LISTING_NAMES[mode]}</th>
                <td className="pe-6 slim:pe-2 text-end">≈ {number(tokens)}</td>
                <td className="text-end">{mode === "full" || full === 0 ? "–" : againstFull(tokens, full)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function againstFull(tokens: number, full: number): string {
  const percent = Math.round((1 - tokens / full) * 1_000) / 10;
  return percent >= 0 ? `−${number(percent)} %` : `+${number(-percent)} %`;
}

function Payload({ view }: { view: AgentView }) {
  const shown = new TextEncoder().encode(view.payload).length;
  return (
    <div className="flex flex-col gap-2">
      {shown < view.payloadBytes && (
        <p data-testid="payload-cut" className="text-warn"><Sign of="warning" className="me-1" />Showing the first {sizeWord(shown)} of {sizeWord(view.payloadBytes)}. Agents get all of it.</p>
      )}
      <TextPart text={view.payload} label="result of tools/list" place="agent payload" fileName={`tools-list-${view.listing}`} />
    </div>
  );
}
