import { useEffect, useState } from "react";

import type { MemberName, MemberView, Status } from "../ipc/bindings";
import { useHall } from "../lib/hall/hall";
import { countMembers } from "../lib/hall/state";
import { number } from "../lib/format";
import { useSpoken } from "../lib/spoken";

/** The minimum time between two announcements, in milliseconds. */
const PAUSE_MS = 2_000;

function isFailed(status: Status): boolean {
  return status === "error" || status === "crash-loop";
}

/** A text about the members that have failed since `before`; `null` if no member has failed. */
export function newFailures(
  before: ReadonlyMap<MemberName, MemberView>,
  after: readonly MemberView[],
): string | null {
  const failed = after.filter(({ name, status }) => {
    const old = before.get(name);
    return isFailed(status) && old !== undefined && !isFailed(old.status);
  });
  const [first] = failed;
  if (!first) return null;
  if (failed.length > 1) return `${number(failed.length)} members have failed: ${failed.map(({ name }) => name).join(", ")}`;
  return `${first.name} has failed. ${first.error ? first.error.message.slice(0, 300) : ""}`;
}

/**
 * The content of a live region. Each announcement increments `times`, which is the React key, so that a repeated text
 * is announced again.
 */
interface Saying {
  readonly text: string;
  readonly times: number;
}

function countsOf(members: readonly MemberView[]): string {
  const { ready, starting, failed } = countMembers(members);
  return `${number(ready)} ready, ${number(starting)} starting, ${number(failed)} failed`;
}

const NOTHING: Saying = { text: "", times: 0 };
const saying = (text: string) => ({ times }: Saying): Saying => ({ text, times: times + 1 });

/** Announces changes to screen reader users: member counts and `Spoken` texts politely, failures as alerts. */
export function Announcer() {
  const hall = useHall();
  const spoken = useSpoken();
  const [status, setStatus] = useState(NOTHING);
  const [alert, setAlert] = useState(NOTHING);

  useEffect(() => {
    let before = hall.state.get();
    // The counts that were announced last, so that unchanged counts are not announced again.
    let counted = countsOf(before.members);
    let spokenTimes = spoken.times();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The time of the last announcement. The opening of the page counts as one, because screen reader users then read
    // the page.
    let spokeAt = Date.now();
    const speak = () => {
      timer = undefined;
      spokeAt = Date.now();
      const now = hall.state.get();
      const failures = newFailures(before.byName, now.members);
      if (failures !== null) setAlert(saying(failures));
      const counts = countsOf(now.members);
      if (spoken.times() !== spokenTimes) {
        spokenTimes = spoken.times();
        setStatus(saying(spoken.get()));
        // Only one text per announcement is read, so the counts follow in the next one.
        if (counts !== counted) soon();
      } else if (counts !== counted) {
        counted = counts;
        setStatus(saying(counts));
      }
      before = now;
    };
    const soon = () => {
      timer ??= setTimeout(speak, Math.max(0, spokeAt + PAUSE_MS - Date.now()));
    };
    const ends = [
      hall.state.subscribe(() => hall.state.get().members !== before.members && soon()),
      spoken.subscribe(soon),
    ];
    return () => {
      for (const end of ends) end();
      clearTimeout(timer);
    };
  }, [hall, spoken]);

  return (
    <div className="sr-only">
      <p role="status"><span key={status.times}>{status.text}</span></p>
      <p role="alert"><span key={alert.times}>{alert.text}</span></p>
    </div>
  );
}
