/**
 * The tab for servers found in the configuration files of other apps, grouped by app. The user selects servers to
 * import.
 */
import { useEffect, useId, useMemo, useRef, useState } from "react";

import type { FoundServer } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { SearchField } from "../../../components/SearchField";
import { Button } from "../../../components/Button";
import { EmptyState } from "../../../components/EmptyState";
import { Reading } from "../../../components/Reading";
import { ErrorReport } from "../../../components/ErrorReport";
import { counted, number } from "../../../lib/format";
import { ImportFoot } from "./ImportFoot";
import { wrongNames, type SelectionState } from "./selection";
import { searched, STATES, sumUp } from "./faces";
import { Outcome } from "./Outcome";
import { Searched } from "./Searched";
import { ServerRow } from "./ServerRow";
import { Unread } from "./Unread";
import { useFoundStore } from "./foundStore";

/** A filter field is shown if there are more servers than this. */
const UNFILTERED_MAX = 8;
const NONE: readonly FoundServer[] = [];

export default function FoundTab() {
  const found = useFoundStore();
  const spoken = useSpoken();
  const navigation = useNavigation();
  const known = useStore(found.known, (now) => now);
  const trouble = useStore(found.trouble, (now) => now);
  const selection = useStore(found.selection.state, (now) => now);
  const [sought, setSought] = useState("");
  const panel = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => found.watch(), [found]);
  const sum = known && sumUp(known);
  useEffect(() => {
    if (sum !== null) spoken.set(sum);
  }, [spoken, sum]);
  const servers = known?.servers;
  const apps = useMemo(() => byApp(filtered(servers ?? [], sought, selection.chosen)), [servers, sought, selection.chosen]);
  return (
    <div ref={panel} data-found className="flex flex-1 flex-col gap-3">
      {sum !== null && <h2 ref={heading} tabIndex={-1} className={known?.servers.length === 0 ? "sr-only" : "text-dim"} data-testid="found-says">{sum}</h2>}
      {trouble && <ErrorReport report={trouble} />}
      {!known && !trouble && <Reading what="the files of other apps" className="" />}
      <Outcome selection={selection} returnTo={heading} />
      {known && <Unread files={known.files} />}
      {known && known.servers.length > UNFILTERED_MAX && <Filter sought={sought} onSought={setSought} shown={apps.reduce((total, [, each]) => total + each.length, 0)} all={known.servers.length} />}
      {known && apps.map(([title, each]) => <App key={title} title={title} servers={each} all={known.servers} selection={selection} />)}
      {known?.servers.length === 0 && (
        <div data-testid="found-nothing">
          <EmptyState icon="import" title="No servers in your other apps">Servers that you add to another app appear here. You can also search a project folder.</EmptyState>
        </div>
      )}
      {known?.servers.some(({ state }) => state.kind === "adopted") && (
        <p className="text-sm text-dim">
          Apps keep their own copies of imported servers.
          <Button look="quiet" className="h-auto! px-1! text-sm text-accent!" onClick={() => navigation.openAgents("connect")}>Switch apps to Guild Hall</Button>
        </p>
      )}
      {known && <Searched known={known} startsOpen={known.servers.length === 0} />}
      <ImportFoot servers={known?.servers ?? NONE} selection={selection} panel={panel} />
    </div>
  );
}

/**
 * The servers that match all search words. Selected servers are always included, so that the user never imports a
 * server that is not visible.
 */
function filtered(servers: readonly FoundServer[], sought: string, chosen: SelectionState["chosen"]): readonly FoundServer[] {
  const wanted = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return servers;
  return servers.filter((server) => {
    if (chosen.has(server.id)) return true;
    const text = searched(server);
    return wanted.every((word) => text.includes(word));
  });
}

/** Groups the servers by the first app that has each of them. Within an app, new servers come first. */
function byApp(servers: readonly FoundServer[]): readonly (readonly [string, readonly FoundServer[]])[] {
  const apps = new Map<string, FoundServer[]>();
  for (const state of STATES) {
    for (const server of servers) {
      if (server.state.kind !== state) continue;
      const title = server.places[0]?.title ?? "";
      apps.set(title, [...(apps.get(title) ?? []), server]);
    }
  }
  return [...apps];
}

function Filter({ sought, onSought, shown, all }: { sought: string; onSought: (words: string) => void; shown: number; all: number }) {
  return (
    <div role="search" aria-label="Servers" className="flex flex-wrap items-center gap-2">
      <SearchField label="Filter by name, command, app or file" placeholder="Name, command, app or file…" value={sought} onValue={onSought} className="min-w-32 flex-1" />
      <span role="status" className="text-sm text-dim">
        {sought.trim() !== "" && (shown === 0 ? "No matches" : `${number(shown)} of ${counted(all, { one: "server", other: "servers" })}`)}
      </span>
    </div>
  );
}

interface AppProps {
  readonly title: string;
  readonly servers: readonly FoundServer[];
  readonly all: readonly FoundServer[];
  readonly selection: SelectionState;
}

function App({ title, servers, all, selection: { chosen, missing, busy } }: AppProps) {
  const id = useId();
  const hall = useHall();
  const found = useFoundStore();
  const members = useStore(hall.state, (state) => state.members);
  const wrong = useMemo(() => wrongNames(chosen, members), [chosen, members]);
  const fresh = servers.filter(({ state }) => state.kind === "new");
  const selected = fresh.filter((server) => chosen.has(server.id)).length;
  return (
    <section aria-labelledby={id} className="shrink-0 overflow-hidden rounded-md border border-line">
      <header className="flex min-h-9 items-center gap-2.5 border-b border-line bg-sidebar py-1 ps-3 pe-2">
        {fresh.length > 0 ? (
          <input
            type="checkbox"
            aria-label={`Select all new servers of ${title}`}
            ref={(box) => {
              if (box) box.indeterminate = selected > 0 && selected < fresh.length;
            }}
            checked={selected === fresh.length}
            disabled={busy}
            onChange={(event) => (event.target.checked ? found.selection.select(fresh) : found.selection.deselect(fresh.map((server) => server.id)))}
          />
        ) : (
          <span className="w-3.5 shrink-0" />
        )}
        <span aria-hidden className="grid size-5 shrink-0 place-items-center rounded-xs bg-selected text-xs font-semibold text-accent">{title.slice(0, 1)}</span>
        <h3 id={id} className="min-w-0 truncate font-semibold">
          {title} <span className="ps-1 text-sm font-normal text-dim">{counted(servers.length, { one: "server", other: "servers" })}</span>
        </h3>
      </header>
      <ul>
        {servers.map((server) => (
          <ServerRow
            key={server.id}
            server={server}
            all={all}
            choice={chosen.get(server.id) ?? null}
            wrong={wrong.get(server.id) ?? null}
            missing={missing}
            busy={busy}
          />
        ))}
      </ul>
    </section>
  );
}
