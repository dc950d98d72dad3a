/**
 * The form for the questions that an install asks. It has the same fields as the argument form of a tool. Its
 * submit button is in the footer of the dialog.
 */
import { useCallback, useId, useMemo, useRef, useState, type ReactNode, type Ref } from "react";
import { flushSync } from "react-dom";

import type { ArgumentError, CheckedArguments, McpbAsks } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useDesktop } from "../../lib/desktop";
import { useHall } from "../../lib/hall/hall";
import { firstAnswer, formOfQuestion } from "../elicitation/schema";
import { FormPanel } from "../form/FormPanel";
import { useCheckFirst } from "../form/useCheck";
import { useKeptPlaces } from "../form/useKeptPlaces";
import { JsonBox } from "../form/view/JsonBox";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { number, plural } from "../../lib/format";
import { Foot } from "./frame";
import { useTyped, type Typed } from "./typed";

interface Props {
  readonly asks: McpbAsks;
  /** The store of the typed answers, and the key under which it stores the answers of this form. */
  readonly typed: Typed;
  readonly typedAs: string;
  /** The label of the submit button. */
  readonly label: string;
  /** The reason why the submit button is disabled; `undefined` while it is enabled. */
  readonly unavailable: string | undefined;
  /** Called with the answers as JSON text, after they were validated. */
  readonly onAnswers: (answers: string) => void;
  readonly button?: Ref<HTMLButtonElement>;
  /** Additional fields, drawn below the questions. */
  readonly children?: ReactNode;
}

export function AnswerForm({ asks, typed, typedAs, label, unavailable, onAnswers, button, children }: Props) {
  const hall = useHall();
  const { pickPath } = useDesktop();
  const { schema } = asks;
  const node = useMemo(() => formOfQuestion(schema), [schema]);
  // The key contains the schema, so that answers to one schema are never used for another one.
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
    // Some controls commit their text on blur, so the focused control loses the focus before the check.
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
          <p data-testid="answers-unfit" className="font-semibold text-bad"><Sign of="cross" className="me-1" />{plural(wrong, { one: "1 answer to fix", other: `${number(wrong)} answers to fix` })}</p>
          <ul>
            {check.problems.slice(0, 20).map(({ pointer, message }, index) => (
              <li key={index} className="break-words">{pointer === "" ? message : `${pointer.slice(1)}: ${message}`}</li>
            ))}
          </ul>
        </div>
      )}
      <Foot>
        <Button {...(button && { ref: button })} look="accent" onClick={run} unavailable={unavailable ?? (check.checking ? "Checking…" : undefined)}>
          {label}
        </Button>
      </Foot>
    </div>
  );
}
