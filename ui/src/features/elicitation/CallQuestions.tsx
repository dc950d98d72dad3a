/** The questions of a call's server, shown beside the call: the open questions, and the outcomes of ended ones. */
import { useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { Sign } from "../../components/Icon";
import { Tooltip } from "../../components/Tooltip";
import { counted } from "../../lib/format";
import { duration } from "../../lib/time";
import { Queue } from "./Queue";
import { type Asker, type Ended, endedOf, endingOf, questionsOf, useQuestions } from "./questions";

/** The maximum number of ended questions shown. The newest ones are shown. */
const ENDED_SHOWN = 5;

export function CallQuestions({ asker }: { asker: Asker }) {
  const hall = useHall();
  const questions = useQuestions();
  const all = useStore(hall.state, (state) => state.elicitations);
  const ended = endedOf(useStore(questions.ended, (list) => list), asker);
  const open = questionsOf(all, asker);
  if (open.length === 0 && ended.length === 0) return null;
  const unsure = open.some(({ call }) => call === null);
  return (
    <div className="max-h-[calc(100%-3rem)] shrink-0 overflow-y-auto border-b border-line">
      <Queue open={open}>
        {unsure && <p data-testid="question-unsure" className="px-3 pb-1 text-sm text-dim">{asker.member} doesn't say which of its calls this belongs to.</p>}
        {ended.length > 0 && (
          <ul aria-label="Ended questions" className="px-3 py-1 text-sm text-dim">
            {ended.length > ENDED_SHOWN && <li data-testid="questions-hidden">{counted(ended.length - ENDED_SHOWN, { one: "earlier question is not shown", other: "earlier questions are not shown" })}</li>}
            {ended.slice(-ENDED_SHOWN).map((one) => (
              <EndedLine key={one.elicitation.id} ended={one} asker={asker} />
            ))}
          </ul>
        )}
      </Queue>
    </div>
  );
}

export function EndedLine({ ended, asker }: { ended: Ended; asker: Asker | null }) {
  const { member, message, askedAtMs } = ended.elicitation;
  return (
    <li className="flex items-center gap-1">
      <Sign of="question" />
      <span className="shrink-0 max-w-[40%] truncate">{member} asked</span>
      <Tooltip text={message}><bdi className="min-w-0 shrink truncate">“{message}”</bdi></Tooltip>
      <span className="shrink-0">· {endingOf(ended, asker)} after {duration(ended.endedAtMs - askedAtMs)}</span>
    </li>
  );
}
