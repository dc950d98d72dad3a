/** The first steps for a new user, as cards with one button each. The first unfinished step is highlighted. */
import { useEffect, useState, type ReactNode } from "react";

import type { FoundServer, HistoryEntry } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useToolTitle } from "../../lib/hall/useToolTitle";
import { useNavigation } from "../../lib/navigation/navigation";
import { focusPage } from "../../lib/regions";
import { asRefusal } from "../../ipc/bridge";
import { useRosterPanel } from "../../lib/rosterPanel";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { Icon, Sign } from "../../components/Icon";
import { drawNow } from "../../lib/drawNow";
import { SIGNS, type SignName } from "../../components/signs";
import { counted, listed, type Forms } from "../../lib/format";
import { ago } from "../../lib/time";
import { useFoundStore } from "../add/found/foundStore";
import { useAgents } from "../agents/agents";
import { useWorkbench } from "../tool/workbench";
import { useTour } from "../tour/tour";
import { stepsOf, type StepName, useFirstRun } from "./firstRun";
import type { TryOutStores } from "./trying";
import { Starts } from "./Starts";

const TRY_COMING = "Opens when the first tools are ready…";

const FOUND_SERVERS = { one: "server", other: "servers" } satisfies Forms;

/** The maximum number of apps that the card names. */
const APPS_NAMED = 3;

/**
 * The names of the apps that have the servers, such as `Cursor and Claude Desktop`, or the number of apps if there are
 * many.
 */
function appsOf(servers: readonly FoundServer[]): string {
  const apps = [...new Set(servers.flatMap(({ places }) => places.map(({ title }) => title)))];
  return apps.length > APPS_NAMED ? counted(apps.length, { one: "app", other: "apps" }) : listed(apps);
}

interface StepProps {
  readonly name: StepName;
  readonly title: string;
  readonly done: boolean;
  readonly isNext: boolean;
  readonly children: ReactNode;
  readonly buttons: ReactNode;
}

/** Runs an action that removes the pressed button, then moves the focus to the page. */
function dismissing(what: () => void): void {
  what();
  drawNow();
  focusPage();
}

export function FirstSteps() {
  const firstRun = useFirstRun();
  const found = useFoundStore();
  const agents = useAgents();
  const bench = useWorkbench();
  // These subscriptions cause a render when the inputs of `stepsOf` change.
  useStore(firstRun.kept, (kept) => kept);
  useStore(firstRun.tried, (entry) => entry);
  useStore(firstRun.called, (entry) => entry);
  useStore(found.known, (known) => known);
  useStore(agents.gateway, (gateway) => gateway);
  const ran = useStore(bench.sheets, (sheets) => [...sheets.values()].some(({ runs }) => runs.some(({ outcome }) => outcome !== null)));
  const { done, next } = stepsOf(firstRun, found, agents, ran);
  return (
    <section aria-labelledby="first-steps" data-testid="first-steps" className="flex flex-col gap-4">
      <header className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h1 id="first-steps" className="text-xl font-semibold">Welcome to Guild Hall</h1>
          <p className="text-dim">Run MCP servers, try their tools, and share them with your AI agents.</p>
        </div>
        <Button look="quiet" onClick={() => dismissing(() => firstRun.leave(true))}>Dismiss</Button>
      </header>
      <ol className="grid grid-cols-[repeat(auto-fit,minmax(min(220px,100%),1fr))] gap-3">
        <TryStep done={done.try} isNext={next === "try"} />
        <FoundStep done={done.found} isNext={next === "found"} />
        <AgentStep done={done.agent} isNext={next === "agent"} />
      </ol>
      {next === null && <p role="status"><Sign of="done" className="me-1 text-ok" />You're all set</p>}
      <Starts />
      <TourOffer />
    </section>
  );
}

const ICONS = { try: "play", found: "import", agent: "plug" } as const satisfies Record<StepName, SignName>;

function Step({ name, title, done, isNext, children, buttons }: StepProps) {
  return (
    <li
      data-testid={`step-${name}`}
      data-done={done}
      aria-current={isNext ? "step" : undefined}
      className="flex min-h-37 flex-col gap-1.5 rounded-lg border border-line bg-raised p-3.5 shadow-low"
    >
      <h2 className="flex items-center gap-2 font-semibold">
        <Icon of={SIGNS[done ? "done" : ICONS[name]]} className={done ? "text-ok" : "text-accent"} />
        {title}
        {done && <span className="sr-only">done</span>}
      </h2>
      {children}
      <div className="mt-auto flex flex-wrap gap-2 pt-1.5">{buttons}</div>
    </li>
  );
}

/** Opens a tool with a filled form, as soon as the first tools are known. */
async function tryIt(stores: TryOutStores): Promise<void> {
  try {
    const { tryOut } = await import("./trying");
    await tryOut(stores);
  } catch (reason) {
    stores.hall.tell(asRefusal(reason).report);
  }
}

/** The time of the first render, from which ages are computed. */
function useDrawnAt(): number {
  const [at] = useState(() => Date.now());
  return at;
}

function TryStep({ done, isNext }: { done: boolean; isNext: boolean }) {
  const firstRun = useFirstRun();
  const bench = useWorkbench();
  const hall = useHall();
  const navigation = useNavigation();
  const roster = useRosterPanel();
  const entry = useStore(firstRun.tried, (newest) => newest);
  const [busy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    void tryIt({ bench, hall, navigation, roster }).finally(() => setBusy(false));
  };
  return (
    <Step
      name="try"
      title="Run a tool"
      done={done}
      isNext={isNext}
      buttons={
        <Button look={isNext ? "accent" : "plain"} data-testid="try-it" aria-busy={busy} unavailable={busy ? TRY_COMING : undefined} onClick={press}>
          {done ? "Run another" : "Run a tool"}
        </Button>
      }
    >
      <p data-testid="step-try-says" className="break-words text-dim">{busy ? TRY_COMING : done && entry ? <LastRun entry={entry} /> : "Run a sample tool. The form is already filled in."}</p>
    </Step>
  );
}

function LastRun({ entry: { member, tool, atMs } }: { entry: HistoryEntry }) {
  const title = useToolTitle(member, tool);
  const now = useDrawnAt();
  return <>You ran <bdi>{title}</bdi> {ago(atMs, Math.max(now, atMs))}.</>;
}

function FoundStep({ done, isNext }: { done: boolean; isNext: boolean }) {
  const found = useFoundStore();
  const firstRun = useFirstRun();
  const navigation = useNavigation();
  useEffect(() => found.follow(), [found]);
  const known = useStore(found.known, (now) => now);
  const trouble = useStore(found.trouble, (now) => now);
  const left = useStore(firstRun.kept, ({ foundLeft }) => foundLeft);
  const servers = known?.servers.filter(({ state }) => state.kind === "new") ?? [];
  const offers = !done && servers.length > 0;
  return (
    <Step
      name="found"
      title="Import your servers"
      done={done}
      isNext={isNext}
      buttons={
        <>
          <Button look={isNext && offers ? "accent" : "plain"} onClick={() => navigation.openFound()}>{offers ? `Review ${counted(servers.length, FOUND_SERVERS)}` : "Open"}</Button>
          {offers && <Button look="quiet" onClick={() => dismissing(() => firstRun.leaveFound())}>Skip</Button>}
        </>
      }
    >
      <p data-testid="step-found-says" className="break-words text-dim">
        {offers
          ? `Found ${counted(servers.length, FOUND_SERVERS)} in ${appsOf(servers)}. Nothing runs until you import it.`
          : known !== null
            ? left && servers.length > 0 ? "Skipped. Find it later under Add member." : "No new servers in your other apps."
            : trouble ? "The files of your other apps can't be read." : "Reading the files of your other apps…"}
      </p>
    </Step>
  );
}

function AgentStep({ done, isNext }: { done: boolean; isNext: boolean }) {
  const firstRun = useFirstRun();
  const agents = useAgents();
  const navigation = useNavigation();
  const entry = useStore(firstRun.called, (newest) => newest);
  const client = useStore(agents.gateway, (gateway) => gateway?.clients.find(({ lastUsedMs }) => lastUsedMs !== null)?.name);
  const now = useDrawnAt();
  const state = entry
    ? <><bdi>{entry.client ?? "An agent"}</bdi> called {entry.member}/<bdi>{entry.tool}</bdi>, {ago(entry.atMs, Math.max(now, entry.atMs))}.</>
    : client === undefined ? "Give Claude Code, Cursor or VS Code all your tools at one URL." : <><bdi>{client}</bdi> has connected.</>;
  return (
    <Step
      name="agent"
      title="Connect an app"
      done={done}
      isNext={isNext}
      buttons={
        <Button look={isNext ? "accent" : "plain"} onClick={() => navigation.openAgents(done ? "gateway" : "connect")}>
          {done ? "Open Agents" : "Connect…"}
        </Button>
      }
    >
      <p className="break-words text-dim">{state}</p>
    </Step>
  );
}

/** The offer of the tour, until the user starts or skips the tour. */
function TourOffer() {
  const tour = useTour();
  const known = useStore(tour.known, (is) => is);
  if (known) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 text-dim">
      <Button onClick={() => tour.begin()}>Take the tour</Button>
      6 stops, about a minute
      <Button look="quiet" onClick={() => dismissing(() => tour.decline())}>Skip the tour</Button>
    </p>
  );
}
