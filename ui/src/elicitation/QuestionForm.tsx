/** A question for values, with the same fields as a tool's arguments. */
import { useCallback, useId, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";

import { useHouse } from "../app/house";
import type { ArgumentError, CheckedArguments } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { idFrom } from "../form/desk";
import { FormPanel } from "../form/FormPanel";
import { sameValue } from "../form/model/draft";
import { keysOf, placeName } from "../form/model/pointer";
import { type Problem, useCheckFirst } from "../form/useCheck";
import { useKeptPlaces } from "../form/useKeptPlaces";
import { JsonBox } from "../form/view/JsonBox";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { drawNow } from "../parts/drawNow";
import { counted, number } from "../words/format";
import { QuestionFrame } from "./QuestionFrame";
import type { PanelProps } from "./QuestionPanel";
import { STACKED } from "./stacked";
import { useAnswering } from "./useAnswering";
import { firstAnswer, formOfQuestion } from "./wanted";

const PROBLEMS_SHOWN = 20;

interface Props extends PanelProps {
  readonly schema: string;
  readonly notes: readonly string[];
}

export function QuestionForm({ elicitation, schema, notes, ...rest }: Props) {
  const { hall, questions } = useHouse();
  const { id } = elicitation;
  const node = useMemo(() => formOfQuestion(schema), [schema]);
  const first = useMemo(() => firstAnswer(node), [node]);
  const draft = useStore(questions.drafts, (drafts) => drafts.get(id)) ?? first;
  const onDraft = useCallback((next: typeof draft) => questions.keepDraft(id, next), [id, questions]);
  const prefix = useId().replace(/[^A-Za-z0-9]/g, "");
  const panel = useRef<HTMLDivElement>(null);
  const whole = useStore(questions.whole, (all) => all.has(id));
  const setWhole = (next: boolean) => questions.showWhole(id, next);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [asJson, setAsJson] = useKeptPlaces(questions.asJson, id);
  const [revealed, setRevealed] = useState<string | null>(null);
  const answering = useAnswering(id);

  const ask = useCallback(
    (content: string): Promise<CheckedArguments> =>
      hall.ask("check_elicitation", { id, content }).catch((reason: unknown): CheckedArguments => {
        const unchecked: ArgumentError = { pointer: "", message: asRefusal(reason).report.message, keyword: "" };
        return { errors: [unchecked], notes: [] };
      }),
    [hall, id],
  );
  const send = (content: string) => answering.answer("accept", content);
  const check = useCheckFirst({ draft, check: ask, onRun: send, onSendAnyway: send });

  const accept = () => {
    // Commits the text that a control holds until its blur.
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && panel.current?.contains(focused)) {
      flushSync(() => focused.blur());
      (focused.isConnected ? focused : panel.current).focus({ preventScroll: true });
    }
    check.run();
  };
  const jump = (pointer: string) => {
    setWhole(false);
    setRevealed(pointer);
    const ways = keysOf(pointer).map((_, index) => pointer.split("/").slice(0, index + 1).join("/"));
    setChosen((held) => new Map([...held, ...ways.map((one) => [one, true] as const)]));
    drawNow();
    const target = document.getElementById(idFrom(prefix, pointer)) ?? panel.current;
    target?.scrollIntoView({ block: "center" });
    target?.focus();
  };
  const json = <JsonBox id={`${prefix}-json`} label="Answer as JSON" draft={draft} onDraft={onDraft} />;
  const empty = node.kind === "object" && node.fields.length === 0 && sameValue(draft, first);
  const told = [...notes, ...check.notes];

  return (
    <QuestionFrame
      {...rest}
      elicitation={elicitation}
      answering={answering}
      acceptLabel="Submit"
      onAccept={accept}
      unavailable={answering.unavailable ?? (check.checking ? "Checking…" : undefined)}
      typed={!sameValue(draft, first)}
    >
      <div ref={panel} tabIndex={-1} className={`flex flex-col outline-none ${STACKED}`}>
        <Wrong problems={check.problems} onJump={jump} />
        {told.length > 0 && <p className="text-sm text-warn"><Sign of="warning" className="me-1" />{told.join(" ")}</p>}
        {whole ? (
          <div className="py-1">{json}</div>
        ) : empty ? (
          <p data-testid="question-empty" className="text-dim">Nothing to fill in</p>
        ) : (
          <FormPanel
            {...{ node, draft, onDraft, prefix, chosen, setChosen, asJson, setAsJson, revealed }}
            problems={check.problems}
            pickPath={undefined}
            whole={json}
          />
        )}
        <div>
          <Button look="quiet" className="-ms-2.5" aria-pressed={whole} onClick={() => setWhole(!whole)}>
            {whole ? "Back to the fields" : "Edit as JSON"}
          </Button>
        </div>
      </div>
    </QuestionFrame>
  );
}

/** The problems of the values, each with a link to its field. */
function Wrong({ problems, onJump }: { problems: readonly Problem[]; onJump: (pointer: string) => void }) {
  if (problems.length === 0) return null;
  return (
    <div role="alert" className="my-1 rounded-md bg-bad-fill px-3 py-2 text-sm">
      <p className="font-semibold text-bad">
        <Sign of="cross" className="me-1" />{counted(problems.length, { one: "problem", other: "problems" })}
      </p>
      <ul>
        {problems.slice(0, PROBLEMS_SHOWN).map(({ pointer, message }, index) => (
          <li key={index}>
            <button type="button" className="text-start break-words hover:underline" onClick={() => onJump(pointer)}>
              {pointer !== "" && <code className="font-mono">{placeName(pointer)}</code>}
              {pointer === "" ? message : `: ${message}`}
            </button>
          </li>
        ))}
      </ul>
      {problems.length > PROBLEMS_SHOWN && <p className="text-dim">and {number(problems.length - PROBLEMS_SHOWN)} more</p>}
    </div>
  );
}
