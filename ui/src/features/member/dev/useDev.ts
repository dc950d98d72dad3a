import { useCallback, useEffect, useRef, useState } from "react";

import type { DevRound, DevState, MemberView, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import type { Hall } from "../../../lib/hall/hall";
import { useStore } from "../../../lib/store";
import { isOver } from "./faces";

interface Dev {
  readonly state: DevState | null;
  /** Newest first, including the running one. */
  readonly rounds: readonly DevRound[];
  readonly trouble: Report | null;
  readonly reread: () => Promise<void>;
}

/** The development state of a member; read again after each finished round. */
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

/** The rounds that were read, updated with later events. */
function merged(read: readonly DevRound[], live: DevRound | undefined): readonly DevRound[] {
  if (!live) return read;
  const known = read.find(({ number }) => number === live.number);
  if (!known) return [live, ...read];
  // The rounds that were read may be older or newer than the events.
  return isOver(known.step) ? read : read.map((round) => (round === known ? live : round));
}
