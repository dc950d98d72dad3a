import { useEffect, useState } from "react";

import type { MemberName, MemberView, Status } from "../bridge/bindings";
import { countMembers } from "../hall/state";
import { reportLine } from "../words/report";
import { words } from "../words/window";
import { useHouse } from "./house";

/** Screen readers are told at most this often. */
const PAUSE_MS = 2_000;

function isFailed(status: Status): boolean {
  return status === "error" || status === "crash-loop";
}

/** The members that have failed since `before`, in words; `null` when there are none. */
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
  if (failed.length > 1) return words.haveFailed(failed.length, failed.map(({ name }) => name));
  return words.hasFailed(first.name, first.error ? reportLine(first.error).slice(0, 300) : "");
}

/** Says aloud what changes out of sight: counts politely, failures at once. */
export function Announcer() {
  const { hall, spoken } = useHouse();
  const [status, setStatus] = useState("");
  const [alert, setAlert] = useState("");

  useEffect(() => {
    let before = hall.state.get();
    let said = spoken.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // What the window opens with is read by whoever comes to it.
    let spokeAt = Date.now();
    const speak = () => {
      timer = undefined;
      spokeAt = Date.now();
      const now = hall.state.get();
      const failures = newFailures(before.byName, now.members);
      if (failures !== null) setAlert(failures);
      if (spoken.get() !== said) {
        said = spoken.get();
        setStatus(said);
      } else {
        const { ready, starting, failed } = countMembers(now.members);
        setStatus(words.counts(ready, starting, failed));
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
      <p role="status">{status}</p>
      <p role="alert">{alert}</p>
    </div>
  );
}
