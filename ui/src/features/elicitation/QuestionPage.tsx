/** The page of a question whose call was made outside this window, for example by an agent. */
import type { ElicitationId, MemberName } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { EndedLine } from "./CallQuestions";
import { Queue } from "./Queue";
import { useQuestions } from "./questions";

const questionsOf = (member: string) => `Questions of ${member}`;

export default function QuestionPage({ member, id }: { member: MemberName; id: ElicitationId }) {
  const hall = useHall();
  const questions = useQuestions();
  const all = useStore(hall.state, (state) => state.elicitations);
  const ended = useStore(questions.ended, (list) => list.find(({ elicitation }) => elicitation.id === id));
  const now = all.get(id);
  const open = [...all.values()].filter((one) => one.member === member && one.call === (now ?? ended?.elicitation)?.call);
  return (
    <article className="min-h-0 flex-1 overflow-y-auto p-6" aria-label={questionsOf(member)}>
      <h1 tabIndex={-1} className="mb-3 text-xl font-semibold break-words">{questionsOf(member)}</h1>
      <h2 className="sr-only">Open questions</h2>
      <div className="max-w-3xl overflow-clip rounded-md border border-line">
        <Queue open={open}>
          {ended && (
            <ul aria-label="Ended questions" className="px-4 py-2 text-dim">
              <EndedLine ended={ended} asker={null} />
            </ul>
          )}
          {open.length === 0 && !ended && <p className="px-4 py-3 text-dim">This question has expired</p>}
        </Queue>
      </div>
    </article>
  );
}
