/** A question that asks for values. Its form has the same fields as a tool's argument form. */
import { useCallback, useMemo } from "react";

import type { CheckedArguments } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { FormPanel } from "../form/FormPanel";
import { sameValue } from "../form/model/draft";
import { placeName } from "../form/model/pointer";
import { type Problem, useCheckFirst } from "../form/useCheck";
import { unchecked, useFormState } from "../form/useFormState";
import { useKeptPlaces } from "../form/useKeptPlaces";
import { JsonBox } from "../form/view/JsonBox";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { counted, number } from "../../lib/format";
import { type PanelProps, QuestionFrame } from "./QuestionFrame";
import { useQuestions } from "./questions";
import { useAnswering } from "./useAnswering";
import { firstAnswer, formOfQuestion } from "./schema";

const PROBLEMS_SHOWN = 20;

interface Props extends PanelProps {
  readonly schema: string;
  readonly notes: readonly string[];
}

export function QuestionForm({ elicitation, schema, notes, ...rest }: Props) {
  const hall = useHall();
  const questions = useQuestions();
  const { id } = elicitation;
  const node = useMemo(() => formOfQuestion(schema), [schema]);
  const first = useMemo(() => firstAnswer(node), [node]);
  const draft = useStore(questions.drafts, (drafts) => drafts.get(id)) ?? first;
  const onDraft = useCallback((next: typeof draft) => questions.keepDraft(id, next), [id, questions]);
  const whole = useStore(questions.whole, (all) => all.has(id));
  const setWhole = (next: boolean) => questions.showWhole(id, next);
  const [asJson, setAsJson] = useKeptPlaces(questions.asJson, id);
  const { body, commit, jump, fields } = useFormState(node, draft, asJson, setWhole);
  const answering = useAnswering(id);

  const ask = useCallback(
    (content: string): Promise<CheckedArguments> =>
      hall.ask("check_elicitation", { id, content }).catch(unchecked),
    [hall, id],
  );
  const send = (content: string) => answering.answer("accept", content);
  const check = useCheckFirst({ draft, check: ask, onRun: send, onSendAnyway: send });

  const accept = () => {
    commit();
    check.run();
  };
  const json = <JsonBox id={`${fields.prefix}-json`} label="Answer as JSON" draft={draft} onDraft={onDraft} />;
  const empty = node.kind === "object" && node.fields.length === 0 && sameValue(draft, first);
  const warnings = [...notes, ...check.notes];

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
      <div ref={body} tabIndex={-1} className="flex flex-col outline-none">
        <Wrong problems={check.problems} onJump={jump} />
        {warnings.length > 0 && <p className="text-sm text-warn"><Sign of="warning" className="me-1" />{warnings.join(" ")}</p>}
        {whole ? (
          <div className="py-1">{json}</div>
        ) : empty ? (
          <p data-testid="question-empty" className="text-dim">Nothing to fill in</p>
        ) : (
          <FormPanel
            {...{ ...fields, node, draft, onDraft, asJson, setAsJson }}
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

/** The validation errors. Each links to its field. */
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
