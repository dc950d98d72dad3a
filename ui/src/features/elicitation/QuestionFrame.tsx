/** The frame of a question: its sender, the remaining time, and the buttons to accept, decline or dismiss it. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

import { PART_KEYS } from "../../lib/keys/actionKeys";
import { useKeysOf, useSending } from "../../lib/keys/useKeysOf";
import type { Elicitation } from "../../ipc/bindings";
import { useStore } from "../../lib/store";
import { Band } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { Reported } from "../../components/Reported";
import { keyLabel } from "../../lib/keys/keyLabel";
import { TimeLeft } from "./TimeLeft";
import { useQuestions } from "./questions";
import type { Answering } from "./useAnswering";
import { useLeaving } from "./useFocusLeft";

const FIELD = "input, textarea, [role=combobox], [data-segmented]";

export interface PanelProps {
  readonly elicitation: Elicitation;
  /** The position in the queue, with buttons for the other questions. */
  readonly queue?: ReactNode;
  /** Called when the panel is unmounted while the focus is inside. */
  readonly onLeft: () => void;
}

interface Props extends PanelProps {
  readonly answering: Answering;
  /** The label of the accept button. */
  readonly acceptLabel: string;
  readonly onAccept: () => void;
  /** The reason why the accept button is disabled; `undefined` if it is enabled. */
  readonly unavailable?: string | undefined;
  /** Whether the user typed something that would be lost when the question is dismissed. */
  readonly typed: boolean;
  readonly children: ReactNode;
}

export function QuestionFrame({ elicitation, answering, acceptLabel, onAccept, unavailable, typed, queue, onLeft, children }: Props) {
  const questions = useQuestions();
  const { id, member, tool, message } = elicitation;
  const titleId = useId();
  const panel = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState(false);
  const keys = useKeysOf("run");
  const led = useStore(questions.wanted, (wanted) => wanted === id);

  useEffect(() => {
    if (!led) return;
    questions.wanted.set(null);
    (body.current?.querySelector<HTMLElement>(FIELD) ?? panel.current)?.focus();
  }, [led, questions]);

  useLeaving(panel, onLeft);

  // Without this handler, the shortcuts for Run and Send anyway would submit the tool's form beside the question.
  const onKeyDownCapture = useSending((action) => {
    if (action === "run" && !asking && unavailable === undefined) onAccept();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (typed) setAsking(true);
    else answering.answer("cancel", null);
  };

  return (
    // The key handlers apply to every control inside. The frame itself is not interactive.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={panel}
      role="group"
      tabIndex={-1}
      aria-labelledby={titleId}
      data-testid="question"
      onKeyDownCapture={onKeyDownCapture}
      onKeyDown={onKeyDown}
      className="flex flex-col bg-sidebar accent-solid"
    >
      <header className="flex flex-wrap items-center gap-x-2 px-4 pt-3">
        <h3 id={titleId} className="min-w-0 flex-1 basis-40 font-semibold break-words">
          <Sign of="question" className="me-1.5 text-accent" />
          {tool === null ? (
            `${member} asks`
          ) : (
            <>{member} asks <span className="font-normal text-dim">during {tool}</span></>
          )}
        </h3>
        {queue}
        <TimeLeft untilMs={elicitation.expiresAtMs} />
      </header>
      {/* A scrollable region needs a `tabIndex`, so that the keyboard can scroll it. The scroll margins keep the
         focused element above the sticky bar. */}
      <div
        role="region"
        aria-label="Question"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        dir="auto"
        className="mx-4 my-2 max-h-48 scroll-mb-14 overflow-y-auto whitespace-pre-wrap select-text [overflow-wrap:anywhere]"
      >
        {message === "" ? <span className="text-faint">No message</span> : message}
      </div>
      <div ref={body} className="@container px-4 **:scroll-mb-14">{children}</div>
      {answering.problem && (
        <div className="mx-4 mt-2"><Band tone="bad" icon="cross" role="alert"><Reported report={answering.problem} /></Band></div>
      )}
      {asking ? (
        <Sure
          onGoOn={() => {
            setAsking(false);
            (body.current?.querySelector<HTMLElement>(FIELD) ?? panel.current)?.focus();
          }}
          onCancel={() => answering.answer("cancel", null)}
        />
      ) : (
        <div className="sticky bottom-0 flex flex-wrap items-center gap-2 bg-sidebar px-4 py-3 scant:static">
          <Button look="accent" title={keys} unavailable={unavailable ?? answering.unavailable} onClick={onAccept}>
            {acceptLabel}
          </Button>
          <Button unavailable={answering.unavailable} onClick={() => answering.answer("decline", null)}>
            Decline
          </Button>
          <Button look="quiet" unavailable={answering.unavailable} title={`Close without an answer (${keyLabel(PART_KEYS.leave)})`} onClick={() => answering.answer("cancel", null)}>
            Dismiss
          </Button>
          <span className="text-sm text-faint">
            {keys !== undefined && <><kbd className="font-sans">{keys}</kbd> submits, </>}<kbd className="font-sans">{keyLabel(PART_KEYS.leave)}</kbd> dismisses
          </span>
        </div>
      )}
    </div>
  );
}

/** Asks the user to confirm that the typed answer is discarded. */
function Sure({ onGoOn, onCancel }: { onGoOn: () => void; onCancel: () => void }) {
  const stay = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => stay.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onGoOn();
  };
  return (
    // Esc closes this dialog while either button has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="alertdialog"
      tabIndex={-1}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      className="sticky bottom-0 mt-2 flex flex-wrap items-center gap-2 bg-warn-fill px-4 py-3 scant:static"
    >
      <p id={id} className="min-w-0 flex-1 basis-48">
        <Sign of="warning" className="text-warn me-1" />
        Discard your answer?
      </p>
      <Button ref={stay} onClick={onGoOn}>Keep editing</Button>
      <Button onClick={onCancel}>Discard</Button>
    </div>
  );
}
