/** One development round, after a file change or by a command: its files, build, changed tools and example runs. */
import { useId, useState } from "react";

import type { DevBuild, DevRound, ExampleDifference, ExamplePart, ExampleRun } from "../../../ipc/bindings";
import { Badge } from "../../../components/Badge";
import { Sign } from "../../../components/Icon";
import { ErrorReport } from "../../../components/ErrorReport";
import { ToolRow } from "../../review/ToolRow";
import { counted } from "../../../lib/format";
import { duration, moment } from "../../../lib/time";
import { aboutRound, END_FACES, stepFace } from "./faces";

const PARTS: Record<ExamplePart, string> = {
  answer: "No result",
  "is-error": "Error flag",
  text: "Text",
  structured: "Structured content",
  schema: "Schema of the example",
  "output-schema": "Output schema of the tool",
};

export function RoundView({ round, first }: { round: DevRound; first: boolean }) {
  const body = useId();
  const [open, setOpen] = useState(first);
  const { shape, colour, word } = stepFace(round);
  const { tools, moreTools, examples, tookMs } = round;
  const failed = examples.filter(({ end }) => end === "failed").length;
  const changes = tools.length + moreTools;
  return (
    <li data-testid="dev-round" data-step={round.step} className="px-3 py-2">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={body}
        className="flex w-full flex-wrap items-center gap-x-2 rounded-sm text-start hover:text-accent"
        onClick={() => setOpen(!open)}
      >
        <Sign of={open ? "chevronDown" : "chevronRight"} className="text-faint" />
        <span className="font-medium whitespace-nowrap"><Sign of={shape} className={`me-1 ${colour}`} />{word}</span>
        <code className="min-w-0 flex-1 font-mono text-sm break-all text-dim">{aboutRound(round)}</code>
        {changes > 0 && <Badge tone="warn" icon="delta">{counted(changes, { one: "tool", other: "tools" })} changed</Badge>}
        {failed > 0 && <Badge tone="bad" icon="cross">{counted(failed, { one: "example", other: "examples" })} failed</Badge>}
        <span className="text-sm text-dim">{moment(round.beganMs)}{tookMs !== null && `, ${duration(tookMs)}`}</span>
      </button>
      <div id={body} hidden={!open} className="mt-2 flex flex-col gap-3 ps-5.5">
        {open && <Body round={round} />}
      </div>
    </li>
  );
}

/** The details of a round. They are rendered only while the round is expanded, because they can be long. */
function Body({ round: { build, error, tools, moreTools, examples, step } }: { round: DevRound }) {
  return (
    <>
      {build && <Build build={build} />}
      {error && <ErrorReport report={error} />}
      {step === "not-running" && <p className="text-dim">The member was stopped. It runs the new code when you start it.</p>}
      {tools.length > 0 && (
        <ul aria-label="Tools that changed" className="flex flex-col gap-1">
          {tools.map((tool) => <ToolRow key={tool.name} tool={tool} accept={null} unavailable={undefined} />)}
        </ul>
      )}
      {moreTools > 0 && <p className="text-dim">and {counted(moreTools, { one: "more tool", other: "more tools" })}</p>}
      {examples.length > 0 && (
        <ul aria-label="Examples" className="flex flex-col gap-1">
          {examples.map((run) => <ExampleRow key={run.name} run={run} />)}
        </ul>
      )}
    </>
  );
}

function Build({ build: { tookMs, error, output } }: { build: DevBuild }) {
  if (tookMs === null) return <p className="text-dim">Building…</p>;
  if (!error) return <p className="text-dim"><Sign of="done" className="me-1 text-ok" />Built in {duration(tookMs)}</p>;
  return (
    <ErrorReport report={error}>
      {output.length > 0 && <pre dir="ltr" aria-label="Last lines of the build" className="mt-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere">{output.join("\n")}</pre>}
    </ErrorReport>
  );
}

function ExampleRow({ run: { name, tool, end, tookMs, differences } }: { run: ExampleRun }) {
  const { shape, colour, word } = END_FACES[end];
  return (
    <li data-testid="example-run" data-end={end} className="flex flex-col gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="whitespace-nowrap"><Sign of={shape} className={`me-1 ${colour}`} />{word}</span>
        <span className="min-w-0 break-words">{name}</span>
        <code className="font-mono text-sm break-all text-dim">{tool}</code>
        {end !== "left-out" && <span className="text-sm text-dim">{duration(tookMs)}</span>}
      </p>
      {differences.map((difference, index) => <Difference key={index} difference={difference} />)}
    </li>
  );
}

function Difference({ difference: { part, place, expected, got } }: { difference: ExampleDifference }) {
  const text = "max-h-60 overflow-y-auto rounded-sm bg-sidebar px-2 py-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-text";
  return (
    <div role="group" aria-label={place === "" ? PARTS[part] : `${PARTS[part]} at ${place}`} className="ps-5">
      <p className="text-sm text-dim">
        {PARTS[part]}{place !== "" && <> at <code className="font-mono break-all">{place}</code></>}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1">
        <dt className="text-sm text-dim">Expected</dt>
        <dd className={text}>{expected}</dd>
        <dt className="text-sm text-dim">Got</dt>
        <dd className={text}>{got === "" ? <span className="text-faint">Nothing</span> : got}</dd>
      </dl>
    </div>
  );
}
