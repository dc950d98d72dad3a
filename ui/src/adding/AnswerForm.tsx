/** What is asked before an install: the same fields as a tool's arguments have. */
import { useCallback, useId, useMemo, useRef, useState, type ReactNode, type Ref } from "react";
import { flushSync } from "react-dom";

import { useHouse } from "../app/house";
import type { ArgumentError, CheckedArguments, McpbAsks } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { firstAnswer, formOfQuestion } from "../elicitation/wanted";
import { FormPanel } from "../form/FormPanel";
import { useCheckFirst } from "../form/useCheck";
import { useKeptPlaces } from "../form/useKeptPlaces";
import { JsonBox } from "../form/view/JsonBox";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { number, plural } from "../words/format";
import { useTyped, type Typed } from "./typed";

interface Props {
  readonly asks: McpbAsks;
  /** Where what is typed is kept, and under what. */
  readonly typed: Typed;
  readonly typedAs: string;
  /** What the button says. */
  readonly label: string;
  /** Why it can't be pressed now. */
  readonly unavailable: string | undefined;
  /** Gets the answers, once they fit. */
  readonly onAnswers: (answers: string) => void;
  /** The button's. */
  readonly button?: Ref<HTMLButtonElement>;
  /** What else is to be given, before the button. */
  readonly children?: ReactNode;
}

export function AnswerForm({ asks, typed, typedAs, label, unavailable, onAnswers, button, children }: Props) {
  const { hall, pickPath } = useHouse();
  const { schema } = asks;
  const node = useMemo(() => formOfQuestion(schema), [schema]);
  // Answers that were typed for other questions don't fit these.
  const key = `${typedAs} ${schema}`;
  const [draft, setDraft] = useTyped(typed.drafts, key, () => firstAnswer(node));
  const prefix = useId().replace(/[^A-Za-z0-9]/g, "");
  const panel = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [asJson, setAsJson] = useKeptPlaces(typed.asJson, key);
  const ask = useCallback(
    (answers: string): Promise<CheckedArguments> =>
      hall.ask("check_answers", { schema, answers }).catch((reason: unknown): CheckedArguments => {
        const unchecked: ArgumentError = { pointer: "", message: asRefusal(reason).report.message, keyword: "" };
        return { errors: [unchecked], notes: [] };
      }),
    [hall, schema],
  );
  const check = useCheckFirst({ draft, check: ask, onRun: onAnswers, onSendAnyway: onAnswers });
  const run = () => {
    // Takes in what a control keeps until it is left.
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && panel.current?.contains(focused)) flushSync(() => focused.blur());
    check.run();
  };
  const json = <JsonBox id={`${prefix}-json`} label="Answers as JSON" draft={draft} onDraft={setDraft} />;
  const isEmpty = node.kind === "object" && node.fields.length === 0;
  const wrong = check.problems.length;
  return (
    <div className="flex flex-col gap-2">
      {!isEmpty && (
        <div ref={panel}>
          <FormPanel
            {...{ node, draft, prefix, chosen, setChosen, asJson, setAsJson, pickPath }}
            onDraft={setDraft}
            problems={check.problems}
            revealed={null}
            whole={json}
          />
        </div>
      )}
      {children}
      {wrong > 0 && (
        <div role="alert" className="rounded-sm border border-bad bg-bad-fill px-2 py-1 text-sm">
          <p data-testid="answers-unfit" className="font-semibold text-bad"><Sign of="cross" className="me-1" />{plural(wrong, { one: "One answer does not fit", other: `${number(wrong)} answers do not fit` })}</p>
          <ul>
            {check.problems.slice(0, 20).map(({ pointer, message }, index) => (
              <li key={index} className="break-words">{pointer === "" ? message : `${pointer.slice(1)}: ${message}`}</li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <Button {...(button && { ref: button })} look="accent" onClick={run} unavailable={unavailable ?? (check.checking ? "Checking…" : undefined)}>
          {label}
        </Button>
      </div>
    </div>
  );
}
