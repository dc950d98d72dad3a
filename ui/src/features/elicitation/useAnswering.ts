import { useCallback, useState } from "react";

import type { ElicitationAction, ElicitationId, Report } from "../../ipc/bindings";
import { useQuestions } from "./questions";

export interface Answering {
  readonly answer: (action: ElicitationAction, content: string | null) => void;
  /** The reason why no answer can be sent now; `undefined` if one can. */
  readonly unavailable: string | undefined;
  /** The error of the last answer; `null` if there is none. */
  readonly problem: Report | null;
}

/** Sends the answer to a question. Further calls are ignored while an answer is being sent. */
export function useAnswering(id: ElicitationId): Answering {
  const questions = useQuestions();
  const [state, setState] = useState<{ busy: boolean; problem: Report | null }>({ busy: false, problem: null });
  const { busy, problem } = state;
  const answer = useCallback(
    (action: ElicitationAction, content: string | null) => {
      if (busy) return;
      setState({ busy: true, problem: null });
      void questions.answer(id, action, content).then((refused) => setState({ busy: refused === null, problem: refused }));
    },
    [busy, id, questions],
  );
  return { answer, unavailable: busy ? "Sending…" : undefined, problem };
}
