/** A card for JSON with several views: a table if the JSON is a list of records, a tree, and the text. */
import { useMemo, useState } from "react";

import type { CheckedArguments } from "../../ipc/bindings";
import { keysOf, placeName } from "../form/model/pointer";
import { Badge } from "../../components/Badge";
import { Sign } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { counted } from "../../lib/format";
import { Card } from "./Card";
import { CodeView } from "./code/CodeView";
import { finish, type Steps } from "./json/steps";
import { prettySteps } from "./json/pretty";
import { lengthOf, sourceOf, type Tape } from "./json/tape";
import { useSteps } from "./json/useSteps";
import { recordSteps, type Records } from "./table/records";
import { RecordTable } from "./table/RecordTable";
import { useView } from "./views";
import { ViewSwitch } from "./ViewSwitch";

type JsonView = "Table" | "Tree" | "Text";

interface Props {
  readonly tape: Tape;
  readonly root?: number;
  readonly title: string;
  readonly label: string;
  readonly check?: CheckedArguments | null;
  readonly collapsed?: string | undefined;
  /** The key under which the user's choice of view is stored, such as `member/tool#structured`. */
  readonly place: string;
  /** The name of the saved file, without an extension. */
  readonly fileName: string;
}

export function JsonCard({ tape, root = 0, title, label, check = null, collapsed, place, fileName }: Props) {
  const weight = lengthOf(tape, root);
  const records = useMemo(() => () => withRecords(tape, root), [tape, root]);
  const listed = useSteps(records, weight);
  const rows = listed?.records ?? null;
  const spread = useMemo(() => () => prettySteps(tape, root), [tape, root]);
  const pretty = useSteps(spread, weight);
  const views: readonly JsonView[] = rows === null ? ["Tree", "Text"] : ["Table", "Tree", "Text"];
  const [view, setView] = useView<JsonView>(place, views);
  const [goTo, setGoTo] = useState<{ keys: readonly string[] } | null>(null);
  const [finds, setFinds] = useState(false);
  const isRead = listed !== null && (view !== "Tree" || pretty !== null);
  const problems = useMemo(() => new Map(check?.errors.map(({ pointer, message }) => [pointer, message])), [check]);
  const show = (pointer: string) => {
    setView("Tree");
    setGoTo({ keys: keysOf(pointer) });
  };
  return (
    <Card
      {...{ title, label, collapsed }}
      icon={view === "Table" ? "table" : "braces"}
      badge={check !== null && <Fits check={check} />}
      controls={
        <ViewSwitch
          label={`View of ${label}`}
          {...{ views, view }}
          onView={(next) => {
            setFinds(false);
            setView(next);
          }}
        />
      }
      copy={() => (view === "Text" ? sourceOf(tape, root) : finish(prettySteps(tape, root)))}
      file={{ name: `${fileName}.json` }}
    >
      {check !== null && <Misfits check={check} onShow={show} />}
      {!isRead && <Reading what={`the ${label}`} className="" />}
      {isRead && view === "Table" && rows !== null && (
        <RecordTable
          records={rows}
          root={root}
          label={`${label} as a table`}
          fileName={fileName}
          onFind={() => {
            setFinds(true);
            setView("Tree");
          }}
        />
      )}
      {isRead && view === "Tree" && pretty !== null && <CodeView isJson text={pretty} label={`${label} as a tree`} {...{ problems, goTo, finds }} />}
      {isRead && view === "Text" && <CodeView text={sourceOf(tape, root)} label={`${label} as sent`} />}
    </Card>
  );
}

function* withRecords(tape: Tape, root: number): Steps<{ readonly records: Records | null }> {
  return { records: yield* recordSteps(tape, root) };
}

function Fits({ check: { errors } }: { check: CheckedArguments }) {
  if (errors.length === 0) return <Badge testId="schema-fits" tone="ok" className="shrink-0">Matches schema</Badge>;
  return <Badge testId="schema-misfits" tone="warn" className="shrink-0">{counted(errors.length, { one: "schema error", other: "schema errors" })}</Badge>;
}

function Misfits({ check: { errors, notes }, onShow }: { check: CheckedArguments; onShow: (pointer: string) => void }) {
  return (
    <>
      {errors.length > 0 && (
        <ul aria-label="Schema errors" className="text-sm">
          {errors.map(({ pointer, message }, index) => (
            <li key={index}>
              <button type="button" className="rounded-sm text-start text-accent hover:underline" onClick={() => onShow(pointer)}>
                <code className="font-mono">{pointer === "" ? "root" : placeName(pointer)}</code>
              </button>
              : {message}
            </li>
          ))}
        </ul>
      )}
      {notes.map((note) => <p key={note} className="text-sm text-warn"><Sign of="warning" className="me-1" />{note}</p>)}
    </>
  );
}
