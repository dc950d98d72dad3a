/** Tools for the author of a member: file watching, development rounds and examples. */
import { useId } from "react";

import type { DevState, ExampleView, MemberView } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { Reading } from "../../../components/Reading";
import { Reported } from "../../../components/Reported";
import { Tooltip } from "../../../components/Tooltip";
import { Trouble } from "../../../components/Trouble";
import { useDeed } from "../../../lib/useDeed";
import { counted } from "../../../lib/format";
import { RoundView } from "./RoundView";
import { useDev } from "./useDev";
import { roundWords } from "./faces";

export default function DevTab({ view }: { view: MemberView }) {
  const hall = useHall();
  const { state, rounds, trouble } = useDev(hall, view);
  return (
    <div className="flex flex-col gap-4" data-testid="dev">
      {trouble && <Trouble report={trouble} />}
      {!state && !trouble && <Reading what="what is watched" className="" />}
      {state && <Watching state={state} />}
      {state && <Examples view={view} examples={state.examples} />}
      {rounds.length > 0 && (
        <section aria-labelledby="dev-rounds" className="flex flex-col gap-2">
          <h2 id="dev-rounds" className="font-semibold">Last changes</h2>
          <ul className="flex flex-col gap-1">
            {rounds.map((round, index) => <RoundView key={round.number} round={round} first={index === 0} />)}
          </ul>
        </section>
      )}
    </div>
  );
}

function Watching({ state: { watch, problem } }: { state: DevState }) {
  const title = useId();
  return (
    <section aria-labelledby={title} className="flex flex-col gap-1">
      <h2 id={title} className="font-semibold">Files</h2>
      {watch ? (
        <>
          <p className="break-words">
            <Sign of="dot" className="text-ok me-1" />
            {watch.patterns.length === 0 ? (
              "Watched: all files that people write"
            ) : (
              <>Watched: <code className="font-mono text-sm break-all">{watch.patterns.join(", ")}</code></>
            )}
            <span className="text-dim">{` (${counted(watch.files, { one: "file", other: "files" })} in ${counted(watch.folders, { one: "folder", other: "folders" })})`}</span>
          </p>
          {watch.build !== null && <p className="break-words text-dim">Built first by <code className="font-mono text-sm break-all">{watch.build}</code></p>}
          <p className="text-dim">After a change the member is restarted, its tools are compared, and its examples run.</p>
        </>
      ) : (
        <p className="break-words text-dim">
          <Sign of="ring" className="me-1" />Not watched. If you write this server, put <code className="font-mono text-sm">"dev": true</code> into its plugin.json.
        </p>
      )}
      {problem && (
        <p role="note" data-code={problem.code} className="rounded-md border border-warn bg-warn-fill px-3 py-2 break-words select-text">
          <Sign of="warning" className="text-warn me-1" />
          <Reported report={problem} />
        </p>
      )}
    </section>
  );
}

function Examples({ view, examples }: { view: MemberView; examples: readonly ExampleView[] }) {
  const hall = useHall();
  const spoken = useSpoken();
  const title = useId();
  const deed = useDeed();
  const running = useStore(hall.state, ({ rounds }) => rounds.get(view.name)?.step === "checking");
  const run = (names: string[] | null) =>
    deed.go(async () => {
      try {
        const round = await hall.ask("run_examples", { call: crypto.randomUUID(), member: view.name, names });
        spoken.set(roundWords(round));
        return null;
      } catch (reason) {
        return asRefusal(reason).report;
      }
    });
  const busy = deed.busy || running ? "They run already" : undefined;
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id={title} className="font-semibold">Examples</h2>
        {examples.length > 0 && (
          <Button look="accent" unavailable={busy} onClick={() => void run(null)}>
            {busy === undefined ? `Run ${counted(examples.length, { one: "example", other: "examples" })}` : "Running…"}
          </Button>
        )}
      </div>
      {deed.problem && <Trouble report={deed.problem} />}
      {examples.length === 0 && (
        <p className="break-words text-dim">
          None. An example is a call with what its result has to be; <b className="font-medium">Save as example…</b> in a tool's menu keeps one.
        </p>
      )}
      <ul aria-label="Examples in the manifest" className="flex flex-col gap-1">
        {examples.map((example) => (
          <li key={example.name} className="flex flex-wrap items-baseline gap-x-2 rounded-sm border border-line px-2 py-1">
            <span className="min-w-0 break-words">{example.name}</span>
            <Tooltip text={example.arguments}>
              <code className="min-w-0 flex-1 basis-40 truncate font-mono text-sm text-dim">{example.tool} {example.arguments}</code>
            </Tooltip>
            <span className="min-w-0 text-sm break-words text-dim">{example.expects.join("; ")}</span>
            <Button look="quiet" unavailable={busy} aria-label={`Run ${example.name}`} onClick={() => void run([example.name])}>Run</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
