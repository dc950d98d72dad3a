/** The first steps: one of them is the next, and what was done says so. */
import { useEffect, useState, type ReactNode } from "react";

import { useHouse, type House } from "../app/house";
import { importTrying } from "../app/pages";
import { focusPage } from "../app/regions";
import { asRefusal } from "../bridge/bridge";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import type { Face } from "../words/status";
import { drawNow } from "../parts/drawNow";
import { exact } from "../parts/exact";
import { counted, type Forms } from "../words/format";
import { ago } from "../words/time";
import { stepsOf, type StepName } from "./firstRun";
import { Starts } from "./Starts";

const TRY_COMING = "It opens as soon as the first tools are known…";

const FOUND_SERVERS = { one: "server stands", other: "servers stand" } satisfies Forms;

const MORE_SERVERS = { one: "more", other: "more" };

/** So many of other programs' servers are named. */
const FOUND_SHOWN = 3;

interface StepProps {
  readonly name: StepName;
  readonly title: string;
  readonly done: boolean;
  readonly isNext: boolean;
  readonly children: ReactNode;
  readonly buttons: ReactNode;
}

/** Does what takes the pressed button away; the focus stays on the page. */
function putAway(what: () => void): void {
  what();
  drawNow();
  focusPage();
}

export function FirstSteps() {
  const house = useHouse();
  const { firstRun, found, agents } = house;
  // What the steps are reckoned from.
  useStore(firstRun.kept, (kept) => kept);
  useStore(firstRun.tried, (entry) => entry);
  useStore(firstRun.called, (entry) => entry);
  useStore(found.known, (known) => known);
  useStore(agents.gateway, (gateway) => gateway);
  const ran = useStore(house.bench.sheets, (sheets) => [...sheets.values()].some(({ runs }) => runs.some(({ outcome }) => outcome !== null)));
  const { done, next } = stepsOf(firstRun, found, agents, ran);
  return (
    <section aria-labelledby="first-steps" data-testid="first-steps" className="mt-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="first-steps" className="min-w-0 flex-1 font-semibold">First steps</h2>
        <Button look="quiet" title="Puts the first steps away. Help and the palette bring them back." onClick={() => putAway(() => firstRun.leave(true))}>Leave this</Button>
      </div>
      <Starts />
      <ol className="mt-2 flex flex-col gap-2">
        <TryStep done={done.try} isNext={next === "try"} />
        <FoundStep done={done.found} isNext={next === "found"} />
        <AgentStep done={done.agent} isNext={next === "agent"} />
      </ol>
      {next === null && <p role="status" className="mt-2"><Sign of="check" className="text-ok me-1" />All of it is done.</p>}
      <TourOffer />
    </section>
  );
}

/** Shape, colour and word for how far a step is. */
function face(done: boolean, isNext: boolean): Face {
  if (done) return { shape: "done", colour: "text-ok", word: "done" };
  return isNext ? { shape: "play", colour: "text-accent", word: "next" } : { shape: "ring", colour: "text-faint", word: "to do" };
}

function Step({ name, title, done, isNext, children, buttons }: StepProps) {
  const { shape, colour, word } = face(done, isNext);
  return (
    <li
      data-testid={`step-${name}`}
      data-done={done}
      aria-current={isNext ? "step" : undefined}
      className={`flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md border px-3 py-2 ${isNext ? "border-accent" : "border-line"}`}
    >
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Sign of={shape} className={`me-1 ${colour}`} />
          <span className="font-medium">{title}</span>
          <span className="text-sm text-dim">{word}</span>
        </p>
        {children}
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">{buttons}</div>
    </li>
  );
}

/** Opens a tool to try; where members still come up, once the first tools are known. */
async function tryIt(house: House): Promise<void> {
  try {
    const { tryOut } = await importTrying();
    await tryOut(house);
  } catch (reason) {
    house.hall.tell(asRefusal(reason).report);
  }
}

/** The moment at which a step was drawn, for how long ago something was. */
function useDrawnAt(): number {
  const [at] = useState(() => Date.now());
  return at;
}

function TryStep({ done, isNext }: { done: boolean; isNext: boolean }) {
  const house = useHouse();
  const entry = useStore(house.firstRun.tried, (newest) => newest);
  const now = useDrawnAt();
  const [busy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    void tryIt(house).finally(() => setBusy(false));
  };
  return (
    <Step
      name="try"
      title="Try a tool"
      done={done}
      isNext={isNext}
      buttons={
        <Button look={isNext ? "accent" : "plain"} data-testid="try-it" aria-busy={busy} unavailable={busy ? TRY_COMING : undefined} onClick={press}>
          {done ? "Try another" : "Try it"}
        </Button>
      }
    >
      <p data-testid="step-try-says" className="break-words text-dim">{busy ? TRY_COMING : done && entry ? `${entry.tool} was called, ${ago(entry.atMs, Math.max(now, entry.atMs))}.` : "Opens a tool with its form filled in. One key runs it, and its result appears beside the form."}</p>
    </Step>
  );
}

function FoundStep({ done, isNext }: { done: boolean; isNext: boolean }) {
  const house = useHouse();
  useEffect(() => house.found.follow(), [house]);
  const known = useStore(house.found.known, (now) => now);
  const trouble = useStore(house.found.trouble, (now) => now);
  const left = useStore(house.firstRun.kept, ({ foundLeft }) => foundLeft);
  const servers = known?.servers.filter(({ state }) => state.kind === "new") ?? [];
  const offers = !done && servers.length > 0;
  return (
    <Step
      name="found"
      title="Servers of your other programs"
      done={done}
      isNext={isNext}
      buttons={
        <>
          <Button look={isNext && offers ? "accent" : "plain"} onClick={() => house.openFound()}>{offers ? "Look at them" : "Found servers"}</Button>
          {offers && <Button look="quiet" onClick={() => putAway(() => house.firstRun.leaveFound())}>Not these</Button>}
        </>
      }
    >
      <p data-testid="step-found-says" className="break-words text-dim">
        {offers
          ? `${counted(servers.length, FOUND_SERVERS)} in the files of other programs. This is what they would run; nothing of it starts before you say yes.`
          : known !== null
            ? left && servers.length > 0 ? "Put away. The number in the status bar leads there." : "The files of other programs have no server that is no member."
            : trouble ? "The files of other programs could not be looked at." : "The files of other programs are being looked at. Nothing in them is started."}
      </p>
      {offers && (
        <ul className="mt-1 flex flex-col gap-1">
          {servers.slice(0, FOUND_SHOWN).map(({ id, name, commandLine }) => (
            <li key={id} className="min-w-0">
              <span className="font-medium break-words">{exact(name)}</span>{" "}
              <code className="font-mono text-sm wrap-anywhere text-dim select-text">{exact(commandLine)}</code>
            </li>
          ))}
          {servers.length > FOUND_SHOWN && <li className="text-dim">and {counted(servers.length - FOUND_SHOWN, MORE_SERVERS)}</li>}
        </ul>
      )}
    </Step>
  );
}

function AgentStep({ done, isNext }: { done: boolean; isNext: boolean }) {
  const house = useHouse();
  const entry = useStore(house.firstRun.called, (newest) => newest);
  const client = useStore(house.agents.gateway, (gateway) => gateway?.clients.find(({ lastUsedMs }) => lastUsedMs !== null)?.name);
  const now = useDrawnAt();
  const told = entry
    ? `${entry.client ?? "An agent"} called ${entry.member}/${entry.tool}, ${ago(entry.atMs, Math.max(now, entry.atMs))}.`
    : client === undefined ? "Assistants, editors and other programs with an agent get the tools of all members at one address. No agent has called yet." : `${client} was here.`;
  return (
    <Step
      name="agent"
      title="Connect an agent"
      done={done}
      isNext={isNext}
      buttons={
        <Button look={isNext ? "accent" : "plain"} onClick={() => house.openAgents(done ? "gateway" : "connect")}>
          {done ? "The agents' page" : "Connect a program"}
        </Button>
      }
    >
      <p className="break-words text-dim">{told}</p>
    </Step>
  );
}

/** Offered until it was begun or declined. */
function TourOffer() {
  const { tour } = useHouse();
  const known = useStore(tour.known, (is) => is);
  if (known) return null;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-2 text-dim">
      <Button onClick={() => tour.begin()}>Take the tour</Button>
      Six stops, a minute; Esc ends it.
      <Button look="quiet" onClick={() => putAway(() => tour.decline())}>No tour</Button>
    </p>
  );
}
