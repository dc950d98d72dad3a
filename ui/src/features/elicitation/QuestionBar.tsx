/** A notice about a server's open question, visible on every page, and the count of open questions. */
import { useHall } from "../../lib/hall/hall";
import { useKeysOf } from "../../lib/keys/useKeysOf";
import type { Elicitation } from "../../ipc/bindings";
import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { SpokenNews } from "../../components/SpokenNews";
import { counted, keyed } from "../../lib/format";
import { useOfferStore } from "../member/offers/offerStore";
import { useWorkbench } from "../tool/workbench";
import { leadTo, oneLine } from "./lead";
import { type Kind, WaitingBar, WaitingCount } from "./WaitingBar";
import { useQuestions } from "./questions";

const QUESTIONS: Kind = {
  shape: "question",
  colour: "text-accent",
  line: "border-accent bg-selected",
  countId: "question-count",
  title: "A server asks",
  lead: "Answer",
  putAway: "Hide this notice. The status bar keeps the question.",
};

const spokenQuestion = (one: Elicitation) => `${one.member} asks: ${oneLine(one)}`;

const inWords = (one: Elicitation) => (
  <>
    <bdi className="inline-block max-w-[40%] truncate align-bottom font-medium">{one.member} asks:</bdi> <bdi>{oneLine(one)}</bdi>
  </>
);

/** Returns a function that opens a question: at its call, or on a separate page. */
function useLead(): (question: Elicitation) => void {
  const stores = { bench: useWorkbench(), navigation: useNavigation(), offers: useOfferStore(), questions: useQuestions() };
  return (question) => leadTo(stores, question);
}

export function QuestionBar() {
  const hall = useHall();
  const questions = useQuestions();
  const lead = useLead();
  const keys = useKeysOf("answer-question");
  const open = useStore(hall.state, (state) => state.elicitations);
  const shown = useStore(questions.shown, (ids) => ids);
  const later = useStore(questions.later, (ids) => ids);
  const waiting = [...open.values()].filter(({ id }) => !shown.has(id) && !later.has(id));
  return (
    <>
      <SpokenNews open={open} words={spokenQuestion} testid="question-alert" />
      <WaitingBar
        kind={QUESTIONS}
        waiting={waiting}
        keys={keys}
        says={inWords}
        onLead={lead}
        onPutOff={({ id }) => questions.putOff(id)}
      />
    </>
  );
}

/** The number of open questions, in the status bar. */
export function QuestionCount() {
  const hall = useHall();
  const lead = useLead();
  const keys = useKeysOf("answer-question");
  const open = useStore(hall.state, (state) => state.elicitations);
  const [oldest] = open.values();
  if (!oldest) return null;
  return <WaitingCount kind={QUESTIONS} title={keyed("Answer the oldest", keys)} text={counted(open.size, { one: "question", other: "questions" })} onLead={() => lead(oldest)} />;
}
