import { useCallback, useEffect, useRef, useState } from "react";

import type { DevRound, DevState, MemberView, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import type { Hall } from "../../../lib/hall/hall";
import { useStore } from "../../../lib/store";
import { isOver } from "./faces";

interface Dev {
  readonly state: DevState | null;
  /** Development rounds, newest first, including the running round. */
  readonly rounds: readonly DevRound[];
  readonly trouble: Report | null;
  readonly reread: () => Promise<void>;
}

/** A member's development state, which is read again after each round and when the tools or the version change. */
export function useDev(hall: Hall, { name, listedAtMs, version }: MemberView): Dev {
  const [answer, setAnswer] = useState<{ state: DevState | null; trouble: Report | null }>({ state: null, trouble: null });
  const live = useStore(hall.state, ({ rounds }) => rounds.get(name));
  const turn = useRef(0);
  const reread = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    let next: typeof answer | null;
    try {
      next = { state: await hall.ask("dev_state", { member: name }), trouble: null };
    } catch (reason) {
      next = { state: null, trouble: asRefusal(reason).report };
    }
    if (mine === turn.current) setAnswer(next);
  }, [hall, name]);
  const over = live !== undefined && isOver(live.step) ? live.number : null;
  useEffect(() => {
    void reread();
    return () => {
      turn.current += 1;
    };
  }, [reread, over, listedAtMs, version]);
  return { ...answer, rounds: merged(answer.state?.rounds ?? [], live), reread };
}

/** The rounds from the last read, updated with the round from events. */
function merged(read: readonly DevRound[], live: DevRound | undefined): readonly DevRound[] {
  if (!live) return read;
  const known = read.find(({ number }) => number === live.number);
  if (!known) return [live, ...read];
  // The read may be newer than the event. A finished round does not change, so keep it.
  return isOver(known.step) ? read : read.map((round) => (round === known ? live : round));
}
