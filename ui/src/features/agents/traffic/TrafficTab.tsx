/** The Activity tab: a live table of gateway requests, and a sheet with the selected request. */
import { useCallback, useEffect, useMemo, useRef } from "react";

import type { Exchange } from "../../../ipc/bindings";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { EmptyState } from "../../../components/EmptyState";
import { Sign } from "../../../components/Icon";
import { Reading } from "../../../components/Reading";
import type { SignName } from "../../../components/signs";
import { Tooltip } from "../../../components/Tooltip";
import { ErrorReport } from "../../../components/ErrorReport";
import { sizeWord } from "../../results/content";
import { counted, number } from "../../../lib/format";
import { clock, moment } from "../../../lib/time";
import { Chip } from "../Chip";
import { useAgents } from "../agents";
import { pathOf } from "../faces";
import { RowGrid, type Column } from "../RowGrid";
import { exchangeTime, ExchangeSheet } from "./ExchangeSheet";
import { EXCHANGES_MAX, fits } from "./trafficLog";

const keyOfExchange = ({ seq }: Exchange): string => String(seq);

const METHOD_SIGNS: Readonly<Partial<Record<string, SignName>>> = { tools: "wrench", resources: "file", prompts: "quote", skills: "library", initialize: "plug", ping: "activity" };

const COLUMNS: readonly Column<Exchange>[] = [
  {
    title: "Result",
    quiet: true,
    look: "w-5 shrink-0",
    cell: ({ error }) => <><Sign of={error === null ? "done" : "cross"} className={error === null ? "text-ok" : "text-bad"} /><span className="sr-only">{error === null ? "Answered" : "Failed"}</span></>,
  },
  {
    title: "Time",
    look: "w-18 shrink-0 tabular-nums text-dim",
    cell: ({ atMs }) => <Tooltip text={moment(atMs)}><span>{clock(atMs).slice(0, 8)}</span></Tooltip>,
  },
  { title: "Client", look: "w-32 shrink-0 @max-2xl:w-24 @max-lg:hidden", cell: ({ client }) => <bdi>{client}</bdi> },
  {
    title: "Method",
    look: "w-36 shrink-0 text-sm @max-2xl:w-28",
    cell: ({ method }) => <><Sign of={METHOD_SIGNS[method.split("/")[0] ?? ""] ?? "activity"} className="me-1.5 text-dim" /><bdi className="font-mono">{method}</bdi></>,
  },
  {
    title: "Tool",
    look: "min-w-0 flex-1",
    cell: ({ tool, error }) => <>{tool !== null && <span className="me-2 font-medium"><bdi>{tool}</bdi></span>}{error !== null && <bdi className="text-sm text-bad">{error}</bdi>}</>,
  },
  { title: "Member", look: "w-28 shrink-0 text-dim @max-3xl:hidden", cell: ({ member }) => member !== null && <bdi>{member}</bdi> },
  { title: "Endpoint", look: "w-36 shrink-0 text-sm text-dim @max-5xl:hidden", cell: ({ endpoint }) => <bdi>{pathOf(endpoint)}</bdi> },
  { title: "Took", look: "w-16 shrink-0 text-end tabular-nums text-dim @max-sm:hidden", cell: ({ durationUs }) => exchangeTime(durationUs) },
  { title: "Size", look: "w-16 shrink-0 text-end tabular-nums text-dim @max-3xl:hidden", cell: ({ responseBytes }) => sizeWord(responseBytes) },
];

export default function TrafficTab() {
  const { traffic } = useAgents();
  const { exchanges, read, held, trouble } = useStore(traffic.seen, (seen) => seen);
  const paused = useStore(traffic.paused, (is) => is);
  const filter = useStore(traffic.filter, (now) => now);
  const opened = useStore(traffic.opened, (seq) => seq);
  const table = useRef<HTMLDivElement>(null);
  useEffect(() => traffic.watch(), [traffic]);
  const shown = useMemo(() => exchanges.filter((exchange) => fits(filter, exchange)), [exchanges, filter]);
  const members = useMemo(() => named(exchanges.map(({ member }) => member), filter.member), [exchanges, filter.member]);
  const clients = useMemo(() => named(exchanges.map(({ client }) => client), filter.client), [exchanges, filter.client]);
  const open = exchanges.find(({ seq }) => seq === opened);
  const press = useCallback(({ seq }: Exchange) => traffic.opened.set(seq), [traffic]);
  const close = () => {
    traffic.opened.set(null);
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>('[role="grid"]')?.focus());
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="traffic">
      <div role="search" aria-label="Activity" className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-5 py-2.5">
        <Chip label="Member" any="Any member" value={filter.member} choices={members} onValue={(member) => traffic.filter.set({ ...filter, member })} />
        <Chip label="Client" any="Any client" value={filter.client} choices={clients} onValue={(client) => traffic.filter.set({ ...filter, client })} />
        <span className="ms-auto text-sm text-dim tabular-nums" data-testid="traffic-count">
          {read && `${counted(shown.length, { one: "request", other: "requests" })}${exchanges.length >= EXCHANGES_MAX ? ", newest" : ""}`}
          {paused && ` · ${held > 0 ? `${number(held)} new` : "paused"}`}
        </span>
        <Button aria-pressed={paused} onClick={() => traffic.setPaused(!paused)}>
          <Sign of={paused ? "play" : "pause"} />{paused ? "Resume" : "Pause"}
        </Button>
      </div>
      {trouble && <ErrorReport report={trouble} className="m-4 mb-0" />}
      {!read && !trouble && <Reading what="the activity" className="p-4" />}
      {read && exchanges.length === 0 && !trouble && (
        <div data-testid="traffic-empty"><EmptyState icon="activity" title="No requests yet">Connect an app to see its requests here. Secrets are masked.</EmptyState></div>
      )}
      {exchanges.length > 0 && (
        // The table has a minimum height. In a low window the page scrolls instead.
        <div ref={table} className="flex min-h-56 flex-1 flex-col">
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
      )}
      {open && <ExchangeSheet exchange={open} onClose={close} />}
    </div>
  );
}

/** The sorted names for a filter, including the selected name even if no request has it. */
function named(names: readonly (string | null)[], chosen: string | null): readonly string[] {
  return [...new Set([...names, chosen])].filter((name) => name !== null).sort();
}
