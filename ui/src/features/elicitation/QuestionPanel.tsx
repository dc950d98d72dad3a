import { QuestionForm } from "./QuestionForm";
import type { PanelProps } from "./QuestionFrame";
import { Visit } from "./Visit";

/** One open question, to be answered. */
export function QuestionPanel(props: PanelProps) {
  const { mode, id } = props.elicitation;
  return mode.kind === "url" ? (
    <Visit key={id} {...props} url={mode.url} />
  ) : (
    <QuestionForm key={id} {...props} schema={mode.schema} notes={mode.notes} />
  );
}
