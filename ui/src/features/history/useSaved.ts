import { useEffect, useState } from "react";

import type { MemberName, SavedCalls, ToolName } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { useCallHistory } from "./callHistory";

interface Answer extends SavedCalls {
  /** The request's member and tool as JSON. */
  key: string;
}

/** The saved calls of one tool, one member or all members, without deleted calls; `null` until read. */
export function useSaved(member: MemberName | null, tool: ToolName | null, active = true): SavedCalls | null {
  const hall = useHall();
  const history = useCallHistory();
  const changes = useStore(history.saved.changes, (count) => count);
  const leaving = useStore(history.saved.leaving, (calls) => calls);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const key = JSON.stringify([member, tool]);

  useEffect(() => {
    if (!active) return undefined;
    let wanted = true;
    hall
      .ask("saved_calls", { member, tool })
      .catch((reason: unknown): SavedCalls => ({ calls: [], more: false, trouble: asRefusal(reason).report }))
      .then(
        (saved) => {
          if (wanted) setAnswer({ ...saved, key });
        },
        () => undefined,
      );
    return () => {
      wanted = false;
    };
  }, [active, hall, member, tool, key, changes]);

  if (!active || answer?.key !== key) return null;
  return leaving.size === 0 ? answer : { ...answer, calls: answer.calls.filter(({ id }) => !leaving.has(id)) };
}
