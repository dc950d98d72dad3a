import { useEffect, useState } from "react";

import type { MemberDetail, MemberView, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Hall } from "../../lib/hall/hall";

interface Answer {
  detail: MemberDetail | null;
  error: Report | null;
}

/** Details of a member that the roster does not include. They are read again when its status or process changes. */
export function useMemberDetail(hall: Hall, view: MemberView): Answer {
  const [answer, setAnswer] = useState<Answer>({ detail: null, error: null });
  const { name, version, status, pid } = view;
  useEffect(() => {
    let wanted = true;
    hall.ask("member_detail", { member: name }).then(
      (detail) => {
        if (wanted) setAnswer({ detail, error: null });
      },
      (reason: unknown) => {
        if (wanted) setAnswer((before) => ({ ...before, error: asRefusal(reason).report }));
      },
    );
    return () => {
      wanted = false;
    };
  }, [hall, name, version, status, pid]);
  return answer;
}
