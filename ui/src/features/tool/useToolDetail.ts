import { useEffect, useState } from "react";

import type { MemberName, Report, ToolDetail, ToolName } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Hall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";

interface Answer {
  detail: ToolDetail | null;
  error: Report | null;
}

/** The details of a tool, if the tool exists. They are read again when the member's tool list changes. */
export function useToolDetail(hall: Hall, member: MemberName, tool: ToolName | null): Answer {
  const [answer, setAnswer] = useState<Answer>({ detail: null, error: null });
  const generation = useStore(hall.state, (state) => state.generations.get(member) ?? 0);
  useEffect(() => {
    if (tool === null) return;
    let wanted = true;
    hall.ask("tool_detail", { member, tool }).then(
      (detail) => {
        // Equal details keep their identity, so that a form that the user is filling in is not reset.
        if (!wanted) return;
        setAnswer((before) => {
          if (!before.detail || !isSame(before.detail, detail)) return { detail, error: null };
          return before.error === null ? before : { ...before, error: null };
        });
      },
      (reason: unknown) => {
        if (wanted) setAnswer((before) => ({ ...before, error: asRefusal(reason).report }));
      },
    );
    return () => {
      wanted = false;
    };
  }, [hall, member, tool, generation]);
  return answer;
}

function isSame(a: ToolDetail, b: ToolDetail): boolean {
  return a.raw === b.raw && a.inputSchema === b.inputSchema && a.freshness === b.freshness;
}
