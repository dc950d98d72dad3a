/** A question that belongs to no call of this window, such as one of an agent's call. */
import { useHouse } from "../app/house";
import type { ElicitationId, MemberName } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { EndedLine } from "./CallQuestions";
import { Queue } from "./Queue";

const questionsOf = (member: string) => `Questions of ${member}`;

export default function QuestionPage({ member, id }: { member: MemberName; id: ElicitationId }) {
  const { hall, questions } = useHouse();
  const all = useStore(hall.state, (state) => state.elicitations);
  const ended = useStore(questions.ended, (list) => list.find(({ elicitation }) => elicitation.id === id));
  const now = all.get(id);
  const open = [...all.values()].filter((one) => one.member === member && one.call === (now ?? ended?.elicitation)?.call);
  return (
    <article className="min-h-0 flex-1 overflow-y-auto p-4" aria-label={questionsOf(member)}>
      <h1 className="mb-2 text-lg font-semibold break-words">{questionsOf(member)}</h1>
      <h2 className="sr-only">Open questions</h2>
      <div className="max-w-3xl">
        <Queue open={open}>
          {ended && (
            <ul aria-label="Ended questions" className="py-1 text-dim">
              <EndedLine ended={ended} asker={null} />
            </ul>
          )}
          {open.length === 0 && !ended && <p className="text-dim">This question has expired</p>}
        </Queue>
      </div>
    </article>
  );
}
