/** Shows one open question at a time, at first the oldest, with buttons for the others. */
import { type ReactNode, useEffect, useState } from "react";

import type { Elicitation, ElicitationId } from "../../ipc/bindings";
import { useStore } from "../../lib/store";
import { IconButton } from "../../components/IconButton";
import { number } from "../../lib/format";
import { QuestionForm } from "./QuestionForm";
import type { PanelProps } from "./QuestionFrame";
import { useQuestions } from "./questions";
import { useFocusLeft } from "./useFocusLeft";
import { Visit } from "./Visit";

interface Props {
  readonly open: readonly Elicitation[];
  /** Content below the open question. */
  readonly children?: ReactNode;
}

export function Queue({ open, children }: Props) {
  const questions = useQuestions();
  const [chosen, setChosen] = useState<ElicitationId | null>(null);
  const wanted = useStore(questions.wanted, (id) => id);
  if (wanted !== null && wanted !== chosen && open.some(({ id }) => id === wanted)) setChosen(wanted);
  const place = Math.max(0, open.findIndex(({ id }) => id === chosen));
  const now = open[place];
  const ids = open.map(({ id }) => id).join("\n");
  useEffect(() => (ids === "" ? undefined : questions.show(ids.split("\n"))), [ids, questions]);

  const { around, onLeft } = useFocusLeft();

  const step = (by: number) => setChosen(open[(place + by + open.length) % open.length]?.id ?? null);
  return (
    <div ref={around} tabIndex={-1} role="group" aria-label="Questions" className="outline-none">
      {now && (
        <QuestionPanel
          key={now.id}
          elicitation={now}
          onLeft={onLeft}
          queue={
            open.length > 1 && (
              <span className="flex items-center text-sm text-dim">
                <IconButton icon="back" label="Previous question" className="rtl:-scale-x-100" onClick={() => step(-1)} />
                {number(place + 1)} of {number(open.length)}
                <IconButton icon="forward" label="Next question" className="rtl:-scale-x-100" onClick={() => step(1)} />
              </span>
            )
          }
        />
      )}
      {children}
    </div>
  );
}

/** The panel of one open question. */
function QuestionPanel(props: PanelProps) {
  const { mode } = props.elicitation;
  return mode.kind === "url" ? <Visit {...props} url={mode.url} /> : <QuestionForm {...props} schema={mode.schema} notes={mode.notes} />;
}
