import type { ReactNode } from "react";

import type { Elicitation } from "../../ipc/bindings";
import { QuestionForm } from "./QuestionForm";
import { Visit } from "./Visit";

export interface PanelProps {
  readonly elicitation: Elicitation;
  /** The place in the queue, with buttons for the others. */
  readonly queue?: ReactNode;
  /** Called when the panel goes while the focus is inside. */
  readonly onLeft: () => void;
}

/** One open question, to be answered. */
export function QuestionPanel(props: PanelProps) {
  const { mode, id } = props.elicitation;
  return mode.kind === "url" ? (
    <Visit key={id} {...props} url={mode.url} />
  ) : (
    <QuestionForm key={id} {...props} schema={mode.schema} notes={mode.notes} />
  );
}
