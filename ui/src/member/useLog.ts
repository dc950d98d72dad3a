import { useEffect, useState } from "react";

import type { MemberName } from "../bridge/bindings";
import type { Hall } from "../hall/hall";
import { emptyLog, withEarlier, withLines, type Log } from "./lines";

/** A member's stderr while it is looked at: what came before, and each new line. */
export function useLog(hall: Hall, member: MemberName): Log {
  const [log, setLog] = useState<Log>(emptyLog);
  useEffect(() => {
    let wanted = true;
    // Listening begins before the question, so that no line falls between the two.
    const end = hall.onLines(member, (lines, skipped) => setLog((now) => withLines(now, lines, skipped)));
    hall.ask("member_detail", { member }).then(
      (detail) => {
        if (wanted) setLog((now) => withEarlier(now, detail.stderr));
      },
      // The page above tells of the same failure; new lines are shown all the same.
      () => undefined,
    );
    return () => {
      wanted = false;
      end();
    };
  }, [hall, member]);
  return log;
}
