import { useCallback, useEffect, useRef, useState } from "react";

import type { MemberReview, MemberView, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Hall } from "../../lib/hall/hall";

export interface Reviewed {
  readonly review: MemberReview | null;
  readonly trouble: Report | null;
  /** Sends a change of the review, then reads the review again. Returns the error if the change failed. */
  readonly act: (operation: () => Promise<unknown>) => Promise<Report | null>;
}

/** A member's review. It is read again whenever the member or its tools change. */
export function useReview(hall: Hall, view: MemberView): Reviewed {
  const [answer, setAnswer] = useState<{ review: MemberReview | null; trouble: Report | null }>({ review: null, trouble: null });
  const turn = useRef(0);
  const { name } = view;
  const read = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const keep = (next: Partial<typeof answer>) => {
      if (mine === turn.current) setAnswer((before) => ({ ...before, ...next }));
    };
    try {
      keep({ review: await hall.ask("member_review", { member: name }), trouble: null });
    } catch (reason) {
      keep({ trouble: asRefusal(reason).report });
    }
  }, [hall, name]);
  const { status, listedAtMs, version, trust } = view;
  useEffect(() => {
    void read();
    return () => {
      turn.current += 1;
    };
  }, [read, status, listedAtMs, version, trust]);
  const act = async (operation: () => Promise<unknown>) => {
    try {
      await operation();
    } catch (reason) {
      const { report } = asRefusal(reason);
      // A failed change may mean that the shown review is outdated.
      void read();
      return report;
    }
    await read();
    return null;
  };
  return { ...answer, act };
}
