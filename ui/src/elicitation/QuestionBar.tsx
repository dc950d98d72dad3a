/** Tells of a server's question wherever a person is, and leads there. It never takes the focus. */
import { useHouse } from "../app/house";
import { useKeysOf } from "../app/useKeysOf";
import type { Elicitation, ElicitationId } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { isFocusNowhere } from "../parts/focus";
import { SpokenNews } from "../parts/SpokenNews";
import { words } from "../words/questions";
import { leadTo, oneLine } from "./lead";
import { TimeLeft } from "./TimeLeft";

/** The status bar's button, which is drawn elsewhere. */
const COUNT = "question-count";

const spokenQuestion = (one: Elicitation) => words.spoken(one.member, oneLine(one));

/** A line above the status bar, for the oldest question that is not on the screen and not put off. */
export function QuestionBar() {
  const house = useHouse();
  const keys = useKeysOf("answer-question");
  const { hall, questions } = house;
  const open = useStore(hall.state, (state) => state.elicitations);
  const shown = useStore(questions.shown, (ids) => ids);
  const later = useStore(questions.later, (ids) => ids);
  const waiting = [...open.values()].filter(({ id }) => !shown.has(id) && !later.has(id));
  const [next] = waiting;
  const putOff = (id: ElicitationId) => {
    questions.putOff(id);
    // The notice takes its button along; the status bar is where the question stays.
    requestAnimationFrame(() => {
      if (isFocusNowhere()) document.getElementById(COUNT)?.focus();
    });
  };
  return (
    <>
      <SpokenNews open={open} words={spokenQuestion} testid="question-alert" />
      {next && (
        <section aria-label={words.serverAsks} className="flex h-9 shrink-0 items-center gap-2 border-t border-accent bg-selected px-3">
          <p className="flex min-w-0 flex-1 gap-1">
            <span aria-hidden className="text-accent">?</span>
            <span className="max-w-[40%] shrink-0 truncate font-medium">{words.asksThis(next.member)}</span>
            <bdi className="min-w-0 truncate">{oneLine(next)}</bdi>
          </p>
          {waiting.length > 1 && <span className="text-sm whitespace-nowrap text-dim">{words.andMore(waiting.length - 1)}</span>}
          <TimeLeft untilMs={next.expiresAtMs} />
          <Button look="accent" title={keys} onClick={() => leadTo(house, next)}>
            {words.answer}
          </Button>
          <Button look="quiet" title={words.putAway} onClick={() => putOff(next.id)}>
            {words.later}
          </Button>
        </section>
      )}
    </>
  );
}

/** How many questions wait; for the status bar. */
export function QuestionCount() {
  const house = useHouse();
  const keys = useKeysOf("answer-question");
  const open = useStore(house.hall.state, (state) => state.elicitations);
  const [oldest] = open.values();
  if (!oldest) return null;
  return (
    <button
      type="button"
      id={COUNT}
      className="rounded-sm px-1 text-accent hover:bg-hover"
      title={words.answerOldest(keys)}
      onClick={() => leadTo(house, oldest)}
    >
      <span aria-hidden>?</span> {words.count(open.size)}
    </button>
  );
}
