/** A newer version of the program: looked for, fetched, put in its place. */
import { useId, useState, type ReactNode } from "react";

import { useHouse } from "../app/house";
import type { NewVersion, Report, UpdateState } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Trouble } from "../parts/Trouble";
import { sizeWord } from "../results/content";
import { moment } from "../words/time";
import { words } from "../words/updates";
import { LastUpdateNote } from "./LastUpdateNote";

type Step = "look_for_update" | "fetch_update" | "cancel_update" | "change_to_update";

export function UpdatesPart() {
  const house = useHouse();
  const updates = useStore(house.updates.known, (known) => known);
  const [refused, setRefused] = useState<Report | null>(null);
  if (!updates) return null;
  // Which step can be taken is the engine's to say: what is under way is ended beside what began it.
  const step = (name: Step) => {
    setRefused(null);
    house.hall.ask(name, {}).catch((reason: unknown) => setRefused(asRefusal(reason).report));
  };
  const problem = refused ?? updates.problem;
  return (
    <div className="flex flex-col gap-2 pt-2" data-testid="updates">
      {updates.last && <LastUpdateNote last={updates.last} />}
      <p>{words.runs(updates.version)}</p>
      {updates.way === "elsewhere" ? (
        <p className="text-sm text-dim">{words.elsewhere}</p>
      ) : (
        <>
          {updates.address === null && <p className="text-sm text-dim">{words.nowhere}</p>}
          {problem && <Trouble report={problem} />}
          <Stage updates={updates} step={step} />
        </>
      )}
    </div>
  );
}

function Stage({ updates, step }: { updates: UpdateState; step: (name: Step) => void }) {
  const { stage, address, lookedAtMs, problem } = updates;
  switch (stage.kind) {
    case "idle":
      return (
        <div className="flex flex-wrap items-center gap-2">
          <Button unavailable={address === null ? words.nowhere : undefined} onClick={() => step("look_for_update")}>{words.look}</Button>
          {lookedAtMs !== null && problem === null && (
            <span role="status" className="text-sm text-dim">{words.none(moment(lookedAtMs))}</span>
          )}
        </div>
      );
    case "looking":
      return (
        <div className="flex flex-wrap items-center gap-2">
          <span role="status" className="text-dim">{words.looking}</span>
          <Button onClick={() => step("cancel_update")}>{words.cancel}</Button>
        </div>
      );
    case "offered":
      return (
        <About version={stage.new}>
          <p className="text-sm text-dim">{words.fetchDoes}</p>
          <div className="flex flex-wrap gap-2">
            <Button look="accent" onClick={() => step("fetch_update")}>{words.fetch(stage.new.version)}</Button>
            <Button onClick={() => step("look_for_update")}>{words.look}</Button>
          </div>
        </About>
      );
    case "fetching":
      return <Fetching version={stage.new.version} done={stage.done} of={stage.of} onCancel={() => step("cancel_update")} />;
    case "ready":
      return (
        <About version={stage.new}>
          <p role="status">
            <span aria-hidden className="text-ok">✓ </span>
            {words.ready(stage.new.version)}
          </p>
          <p className="text-sm text-dim">{words.readyDoes}</p>
          <div className="flex flex-wrap gap-2">
            <Button look="accent" onClick={() => step("change_to_update")}>{words.change(stage.new.version)}</Button>
            <Button onClick={() => step("cancel_update")}>{words.throwAway}</Button>
          </div>
        </About>
      );
    case "changing":
      return <p role="status">{words.changing(stage.version)}</p>;
  }
}

function About({ version: { version, notes, address }, children }: { version: NewVersion; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 rounded-md border border-line-strong bg-raised p-3">
      <h3 id={id} className="font-semibold">{words.offered(version)}</h3>
      {notes !== null && (
        <div
          role="region"
          aria-label={words.notes}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is scrolled by keys too
          tabIndex={0}
          className="max-h-48 overflow-y-auto text-sm break-words whitespace-pre-wrap select-text"
        >
          {notes}
        </div>
      )}
      <p className="text-sm text-dim">
        {words.from} <span dir="ltr" className="break-all select-text">{address}</span>
      </p>
      {children}
    </section>
  );
}

interface FetchingProps {
  readonly version: string;
  readonly done: number;
  readonly of: number | null;
  readonly onCancel: () => void;
}

function Fetching({ version, done, of, onCancel }: FetchingProps) {
  const far = of === null ? words.fetched(sizeWord(done)) : words.fetchedOf(sizeWord(done), sizeWord(of));
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span role="status">{words.fetching(version)}</span>
      <progress className="min-w-40 flex-1" aria-label={words.fetching(version)} {...(of === null ? {} : { max: of, value: Math.min(done, of) })} />
      <span className="text-sm text-dim">{far}</span>
      <Button onClick={onCancel}>{words.cancel}</Button>
    </div>
  );
}
