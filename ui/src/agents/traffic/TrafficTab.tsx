/** The live table of gateway requests, with the open one beside it. */
import { useCallback, useEffect, useMemo } from "react";

import { useHouse } from "../../app/house";
import type { Exchange } from "../../bridge/bindings";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { Sign } from "../../parts/Icon";
import { EmptyState } from "../../parts/EmptyState";
import { Reading } from "../../parts/Reading";
import { SplitPane } from "../../parts/SplitPane";
import { Trouble } from "../../parts/Trouble";
import { sizeWord } from "../../results/content";
import { counted, number } from "../../words/format";
import { clock, moment } from "../../words/time";
import { Chip } from "../Chip";
import { RowGrid, type Column } from "../RowGrid";
import { pathOf } from "../faces";
import { ExchangeView } from "./ExchangeView";
import { exchangeTime } from "./exchangeTime";
import { EXCHANGES_MAX, fits } from "./trafficLog";

const keyOfExchange = ({ seq }: Exchange): string => String(seq);

const COLUMNS: readonly Column<Exchange>[] = [
  { title: "Time", look: "w-24 shrink-0 tabular-nums text-dim @max-xl:w-16", cell: ({ atMs }) => <span title={moment(atMs)}>{clock(atMs).slice(0, 8)}<span className="@max-xl:hidden">{clock(atMs).slice(8)}</span></span> },
  { title: "Client", look: "w-32 shrink-0 @max-xl:w-20 @max-lg:hidden", cell: ({ client }) => <bdi title={client}>{client}</bdi> },
  { title: "Endpoint", look: "w-36 shrink-0 text-dim @max-4xl:hidden", cell: ({ endpoint }) => <bdi title={pathOf(endpoint)}>{pathOf(endpoint)}</bdi> },
  { title: "Method", look: "w-36 shrink-0 font-mono text-sm @max-2xl:w-24", cell: ({ method }) => <bdi title={method}>{method}</bdi> },
  {
    title: "Member › tool",
    look: "min-w-0 flex-1",
    cell: ({ member, tool, error }) => (
      <>
        {member !== null && <bdi className="text-dim">{member}</bdi>}
        {tool !== null && (
          <>
            {" "}<span aria-hidden className="text-faint">›</span> <bdi>{tool}</bdi>
          </>
        )}
        {error !== null && (
          <span className="text-bad" title={error}>
            {" "}<Sign of="cross" className="me-1" /><bdi>{error}</bdi>
          </span>
        )}
      </>
    ),
  },
  { title: "Took", look: "w-16 shrink-0 text-end tabular-nums @max-sm:hidden", cell: ({ durationUs }) => exchangeTime(durationUs) },
  { title: "Request", look: "w-16 shrink-0 text-end tabular-nums text-dim @max-3xl:hidden", cell: ({ requestBytes }) => sizeWord(requestBytes) },
  { title: "Result", look: "w-16 shrink-0 text-end tabular-nums text-dim @max-3xl:hidden", cell: ({ responseBytes }) => sizeWord(responseBytes) },
];

export default function TrafficTab() {
  const { agents } = useHouse();
  const { traffic } = agents;
  const { exchanges, read, held, trouble } = useStore(traffic.seen, (seen) => seen);
  const paused = useStore(traffic.paused, (is) => is);
  const filter = useStore(traffic.filter, (now) => now);
  const opened = useStore(traffic.opened, (seq) => seq);
  useEffect(() => traffic.watch(), [traffic]);
  const shown = useMemo(() => exchanges.filter((exchange) => fits(filter, exchange)), [exchanges, filter]);
  const members = useMemo(() => named(exchanges.map(({ member }) => member), filter.member), [exchanges, filter.member]);
  const clients = useMemo(() => named(exchanges.map(({ client }) => client), filter.client), [exchanges, filter.client]);
  const open = exchanges.find(({ seq }) => seq === opened);
  const press = useCallback(({ seq }: Exchange) => traffic.opened.set(seq), [traffic]);
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="traffic">
      <div role="search" aria-label="Activity" className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-5 py-2.5">
        <Chip label="Member" any="Any member" value={filter.member} choices={members} onValue={(member) => traffic.filter.set({ ...filter, member })} />
        <Chip label="Client" any="Any client" value={filter.client} choices={clients} onValue={(client) => traffic.filter.set({ ...filter, client })} />
        <Button aria-pressed={paused} onClick={() => traffic.setPaused(!paused)}>
          <Sign of={paused ? "play" : "pause"} className="me-1" />{paused ? "Resume" : "Pause"}
        </Button>
        <span className="text-sm text-dim tabular-nums" data-testid="traffic-count">
          {read && (exchanges.length >= EXCHANGES_MAX ? `${counted(shown.length, { one: "request", other: "requests" })}, the newest` : counted(shown.length, { one: "request", other: "requests" }))}
          {paused && ` · ${held > 0 ? `${number(held)} new` : "paused"}`}
        </span>
      </div>
      {trouble && <Trouble report={trouble} className="m-4 mb-0" />}
      {!read && !trouble && <Reading what="the activity" className="p-4" />}
      {read && exchanges.length === 0 && !trouble && (
        <div data-testid="traffic-empty"><EmptyState icon="activity" title="No requests yet">Connect an app to see its requests here. Secrets are masked.</EmptyState></div>
      )}
      {exchanges.length > 0 && (
        // In a low window the page scrolls rather than the table shrinking to nothing.
        <div className="flex min-h-56 flex-1 flex-col">
          <SplitPane name="traffic-share" label="Width of the traffic" share={60}>
            <div className={`flex min-h-0 min-w-0 flex-col wide:w-(--share) wide:shrink-0 ${open ? "max-wide:h-56 max-wide:shrink-0 max-wide:border-b max-wide:border-line" : "max-wide:flex-1"}`}>
              {shown.length === 0 ? (
                <p className="p-4 text-dim">No matching requests</p>
              ) : (
                <RowGrid
                  label="Requests, newest first"
                  testId="traffic-table"
                  rows={shown}
                  keyOf={keyOfExchange}
                  columns={COLUMNS}
                  keys="Enter shows the request and the answer."
                  anchored
                  opened={open ? keyOfExchange(open) : null}
                  onPress={press}
                  onKey={(exchange, key) => {
                    if (key !== "Enter") return false;
                    press(exchange);
                    return true;
                  }}
                />
              )}
            </div>
            {open ? <ExchangeView key={open.seq} exchange={open} onClose={() => traffic.opened.set(null)} /> : null}
          </SplitPane>
        </div>
      )}
    </div>
  );
}

/** The names that can be chosen, the chosen one among them. */
function named(names: readonly (string | null)[], chosen: string | null): readonly string[] {
  return [...new Set([...names, chosen])].filter((name) => name !== null).sort();
}
