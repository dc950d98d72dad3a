/** `structuredContent`: whether it fits its schema, and as a table, a tree or as it was sent. */

import { useMemo, useState } from "react";

import type { CheckedArguments } from "../bridge/bindings";
import { keysOf, placeName } from "../form/model/pointer";
import { CopyButton } from "../parts/CopyButton";
import { Sign } from "../parts/Icon";
import { number } from "../words/format";
import { finish } from "./json/steps";
import { prettySteps } from "./json/pretty";
import { lengthOf, sourceOf, type Tape } from "./json/tape";
import { useSteps } from "./json/useSteps";
import { SaveButton } from "./SaveButton";
import { recordSteps } from "./table/records";
import { RecordTable } from "./table/RecordTable";
import { LongText } from "./text/LongText";
import { JsonTree } from "./tree/JsonTree";
import { useView } from "./views";
import { ViewSwitch } from "./ViewSwitch";

interface Props {
  readonly tape: Tape;
  /** Where the structured content stands. */
  readonly root: number;
  readonly check: CheckedArguments | null;
  readonly place: string;
  readonly fileName: string;
}

export function Structured({ tape, root, check, place, fileName }: Props) {
  const records = useMemo(() => () => recordSteps(tape, root), [tape, root]);
  const rows = useSteps(records, lengthOf(tape, root));
  const views = rows === null ? (["Tree", "Raw"] as const) : (["Table", "Tree", "Raw"] as const);
  const [view, setView] = useView<"Table" | "Tree" | "Raw">(place, views);
  const [goTo, setGoTo] = useState<{ keys: readonly string[] } | null>(null);
  const problems = useMemo(() => new Map(check?.errors.map(({ pointer, message }) => [pointer, message])), [check]);
  const pretty = () => finish(prettySteps(tape, root));
  return (
    <section aria-label="structured content" className="rounded-md border border-line">
      <header className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-0.5 text-sm text-dim">
        <code className="font-sans">structuredContent</code>
        <Fits check={check} />
        <span className="grow" />
        <ViewSwitch label="View of the structured content" {...{ views, view }} onView={setView} />
        <CopyButton text={pretty} what="structured content" />
        <SaveButton what="structured content" name={`${fileName}.json`} text={pretty} />
      </header>
      <div className="flex flex-col gap-1 px-2 py-1">
        {check !== null && check.errors.length > 0 && (
          <ul aria-label="Where it does not fit" className="text-sm">
            {check.errors.map((error, index) => (
              <li key={index}>
                <button
                  type="button"
                  className="rounded-sm text-start text-accent hover:underline"
                  onClick={() => {
                    setView("Tree");
                    setGoTo({ keys: keysOf(error.pointer) });
                  }}
                >
                  <code className="font-mono">{error.pointer === "" ? "the whole" : placeName(error.pointer)}</code>
                </button>
                : {error.message}
              </li>
            ))}
          </ul>
        )}
        {check?.notes.map((note) => <p key={note} className="text-sm text-warn"><Sign of="warning" className="me-1" />{note}</p>)}
        {view === "Table" && rows !== null && <RecordTable records={rows} root={root} label="structured content as a table" fileName={fileName} />}
        {view === "Tree" && <JsonTree {...{ tape, root, problems, goTo }} name="structuredContent" label="structured content as a tree" />}
        {view === "Raw" && <LongText text={sourceOf(tape, root)} label="structured content as sent" />}
      </div>
    </section>
  );
}

function Fits({ check }: { check: CheckedArguments | null }) {
  if (check === null) return null;
  if (check.errors.length === 0) return <span data-testid="schema-fits" className="text-ok"><Sign of="check" className="me-1" />fits the output schema</span>;
  return <strong data-testid="schema-misfits" className="font-semibold text-warn"><Sign of="warning" className="me-1" />does not fit the output schema ({number(check.errors.length)})</strong>;
}
