/** The Dev tab for a member's author: watched files, examples, and recent rounds of build, restart and check. */
import { useId } from "react";

import type { DevState, ExampleView, MemberView } from "../../../ipc/bindings";
import { errorOf } from "../../../lib/errorOf";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { Band } from "../../../components/Badge";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { Reading } from "../../../components/Reading";
import { Reported } from "../../../components/Reported";
import { Tooltip } from "../../../components/Tooltip";
import { ErrorReport } from "../../../components/ErrorReport";
import { useOperation } from "../../../lib/useOperation";
import { counted } from "../../../lib/format";
import { RoundView } from "./RoundView";
import { useDev } from "./useDev";
import { roundWords } from "./faces";

const CARD = "divide-y divide-line rounded-md border border-line";

export default function DevTab({ view }: { view: MemberView }) {
  const hall = useHall();
  const { state, rounds, trouble } = useDev(hall, view);
  return (
    <div className="flex max-w-4xl flex-col gap-6" data-testid="dev">
      {trouble && <ErrorReport report={trouble} />}
      {!state && !trouble && <Reading what="the watched files" className="" />}
      {state && <Watching state={state} />}
      {state && <Examples view={view} examples={state.examples} />}
      {rounds.length > 0 && (
        <section aria-labelledby="dev-rounds" className="flex flex-col gap-2">
          <h2 id="dev-rounds" className="font-semibold">Recent changes</h2>
          <ul className={CARD}>
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
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h2 id={title} className="font-semibold">Files</h2>
      {watch ? (
        <>
          <p className="text-dim">When a file changes, the member restarts, its tools are compared, and its examples run.</p>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
            <dt className="text-dim">Watched</dt>
            <dd>
              {watch.patterns.length === 0 ? "All source files" : <code className="font-mono text-sm break-all">{watch.patterns.join(", ")}</code>}
              <span className="text-dim">{` (${counted(watch.files, { one: "file", other: "files" })} in ${counted(watch.folders, { one: "folder", other: "folders" })})`}</span>
            </dd>
            {watch.build !== null && (
              <>
                <dt className="text-dim">Build</dt>
                <dd><code className="font-mono text-sm break-all">{watch.build}</code></dd>
              </>
            )}
          </dl>
        </>
      ) : (
        <p className="break-words text-dim">
          Not watched. To restart the member when its files change, add <code className="font-mono text-sm">"dev": true</code> to its plugin.json.
        </p>
      )}
      {problem && (
        <div role="note" data-code={problem.code} className="select-text">
          <Band tone="warn" icon="warning"><Reported report={problem} /></Band>
        </div>
      )}
    </section>
  );
}

function Examples({ view, examples }: { view: MemberView; examples: readonly ExampleView[] }) {
  const hall = useHall();
  const spoken = useSpoken();
  const title = useId();
  const operation = useOperation();
  const running = useStore(hall.state, ({ rounds }) => rounds.get(view.name)?.step === "checking");
  const run = (names: string[] | null) =>
    operation.go(() => errorOf(async () => {
      const round = await hall.ask("run_examples", { call: crypto.randomUUID(), member: view.name, names });
      spoken.set(roundWords(round));
    }));
  const busy = operation.busy || running ? "Examples are running" : undefined;
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={title} className="font-semibold">Examples</h2>
        {examples.length > 0 && (
          <Button unavailable={busy} onClick={() => void run(null)}>
            <Sign of="play" />
            {busy === undefined ? `Run ${counted(examples.length, { one: "example", other: "examples" })}` : "Running…"}
          </Button>
        )}
      </div>
      {operation.problem && <ErrorReport report={operation.problem} />}
      {examples.length === 0 ? (
        <p className="break-words text-dim">
          No examples. An example is a call with its expected result. <b className="font-medium">Save as example…</b> in a tool's menu adds one.
        </p>
      ) : (
        <ul aria-label="Examples in plugin.json" className={CARD}>
          {examples.map((example) => (
            <li key={example.name} className="flex min-h-10 flex-wrap items-center gap-x-3 px-3 py-1">
              <span className="min-w-0 font-medium break-words">{example.name}</span>
              <Tooltip text={example.arguments}>
                <code className="min-w-0 flex-1 basis-40 truncate font-mono text-sm text-dim">{example.tool} {example.arguments}</code>
              </Tooltip>
              <span className="min-w-0 text-sm break-words text-dim">{example.expects.join(", ")}</span>
              <Button look="quiet" unavailable={busy} aria-label={`Run ${example.name}`} onClick={() => void run([example.name])}><Sign of="play" />Run</Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
