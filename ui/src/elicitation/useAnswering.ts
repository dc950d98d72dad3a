import { useCallback, useState } from "react";

import { useHouse } from "../app/house";
import type { ElicitationAction, ElicitationId, Report } from "../bridge/bindings";

export interface Answering {
  readonly answer: (action: ElicitationAction, content: string | null) => void;
  /** Why nothing can be answered at this moment. */
  readonly unavailable: string | undefined;
  /** Why the last answer was not taken. */
  readonly problem: Report | null;
}

/** The way to an answer, once: a second one waits for what becomes of the first. */
export function useAnswering(id: ElicitationId): Answering {
  const { questions } = useHouse();
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
