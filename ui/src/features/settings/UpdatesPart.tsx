/** The update controls: check for a newer version, download it, and restart into it. */
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import type { NewVersion, Report, UpdateState } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useHall } from "../../lib/hall/hall";
import { useSpoken } from "../../lib/spoken";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { ErrorReport } from "../../components/ErrorReport";
import { isFocusNowhere } from "../../lib/focus";
import { sizeWord } from "../results/content";
import { moment } from "../../lib/time";
import { LastUpdateNote } from "./LastUpdateNote";
import { useUpdateStore } from "./updateStore";

const NOWHERE = "No update server is set.";

const LOOKING = "Checking for updates…";

const none = (moment: string) => `Up to date (checked ${moment})`;

const fetching = (version: string) => `Downloading ${version}…`;

const ready = (version: string) => `Guild Hall ${version} is downloaded and verified.`;

const changing = (version: string) => `Restarting into ${version}…`;

type Step = "look_for_update" | "fetch_update" | "cancel_update" | "change_to_update";

export function UpdatesPart() {
  const store = useUpdateStore();
  const spoken = useSpoken();
  const hall = useHall();
  const updates = useStore(store.known, (known) => known);
  const [refused, setRefused] = useState<Report | null>(null);
  const part = useRef<HTMLDivElement>(null);
  const pressed = useRef(false);
  const kind = updates?.stage.kind;
  const news = updates && newsOf(updates);
  useEffect(() => {
    // The pressed button disappears when its step begins. The focus moves to the group that contains the next button.
    if (pressed.current && isFocusNowhere()) part.current?.focus();
    if (pressed.current && news !== null) spoken.set(news);
  }, [spoken, kind, news]);
  if (!updates) return null;
  const step = (name: Step) => {
    setRefused(null);
    pressed.current = true;
    hall.ask(name, {}).catch((reason: unknown) => setRefused(asRefusal(reason).report));
  };
  const problem = refused ?? updates.problem;
  return (
    <div ref={part} tabIndex={-1} role="group" aria-label="Updates" className="flex flex-col gap-2 pt-2" data-testid="updates">
      {updates.last && <LastUpdateNote last={updates.last} />}
      <p>Guild Hall {updates.version}</p>
      {updates.way === "elsewhere" ? (
        <p data-testid="update-by-hand" className="text-sm text-dim">Installed by your package manager or built from source. Update it there.</p>
      ) : (
        <>
          {updates.address === null && <p className="text-sm text-dim">{NOWHERE}</p>}
          {problem && <ErrorReport report={problem} />}
          <Stage updates={updates} step={step} />
        </>
      )}
    </div>
  );
}

/** The screen reader announcement after a step that the user started; `null` if there is nothing to announce. */
function newsOf({ stage, lookedAtMs, problem }: UpdateState): string | null {
  switch (stage.kind) {
    case "idle":
      return lookedAtMs === null || problem !== null ? null : none(moment(lookedAtMs));
    case "looking":
      return LOOKING;
    case "offered":
      return problem === null ? `Guild Hall ${stage.new.version} is available` : null;
    case "fetching":
      return fetching(stage.new.version);
    case "ready":
      return ready(stage.new.version);
    case "changing":
      return changing(stage.version);
  }
}

function Stage({ updates, step }: { updates: UpdateState; step: (name: Step) => void }) {
  const { stage, address, lookedAtMs, problem } = updates;
  switch (stage.kind) {
    case "idle":
      return (
        <div className="flex flex-wrap items-center gap-2">
          <Button unavailable={address === null ? NOWHERE : undefined} onClick={() => step("look_for_update")}>Check now</Button>
          {lookedAtMs !== null && problem === null && (
            <span className="text-sm text-dim">{none(moment(lookedAtMs))}</span>
          )}
        </div>
      );
    case "looking":
      return (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-dim">{LOOKING}</span>
          <Button onClick={() => step("cancel_update")}>Cancel</Button>
        </div>
      );
    case "offered":
      return (
        <About version={stage.new}>
          <p className="text-sm text-dim">The download is verified. You choose when to restart.</p>
          <div className="flex flex-wrap gap-2">
            <Button look="accent" onClick={() => step("fetch_update")}>Download {stage.new.version}</Button>
            <Button onClick={() => step("look_for_update")}>Check now</Button>
          </div>
        </About>
      );
    case "fetching":
      return <Fetching version={stage.new.version} done={stage.done} of={stage.of} onCancel={() => step("cancel_update")} />;
    case "ready":
      return (
        <About version={stage.new}>
          <p>
            <Sign of="check" className="text-ok me-1" />
            {ready(stage.new.version)}
          </p>
          <p className="text-sm text-dim">Guild Hall and its members restart. If the new version does not start, this one is restored.</p>
          <div className="flex flex-wrap gap-2">
            <Button look="accent" onClick={() => step("change_to_update")}>Restart to update</Button>
            <Button onClick={() => step("cancel_update")}>Discard</Button>
          </div>
        </About>
      );
    case "changing":
      return <p>{changing(stage.version)}</p>;
  }
}

function About({ version: { version, notes, address }, children }: { version: NewVersion; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 rounded-md border border-control bg-raised p-3">
      <h3 id={id} className="font-semibold">Guild Hall {version} is available</h3>
      {notes !== null && (
        <div
          role="region"
          aria-label="Release notes"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard can only scroll a focusable region
          tabIndex={0}
          className="max-h-48 overflow-y-auto text-sm break-words whitespace-pre-wrap select-text"
        >
          {notes}
        </div>
      )}
      <p className="text-sm text-dim">
        From <span dir="ltr" className="break-all select-text">{address}</span>
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
  const far = of === null ? `${sizeWord(done)} downloaded` : `${sizeWord(done)} of ${sizeWord(of)}`;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span>{fetching(version)}</span>
      <progress className="min-w-40 flex-1" aria-label={fetching(version)} {...(of === null ? {} : { max: of, value: Math.min(done, of) })} />
      <span data-testid="update-progress" className="text-sm text-dim">{far}</span>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
}
