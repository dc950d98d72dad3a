import { useEffect, useState } from "react";

/** Shorter waits are not shown: a word that flickers is worse than none. */
const SLOW_MS = 300;

/** Whether something has been going on for long enough to be shown. */
export function useSlow(going: boolean): boolean {
  const [slow, setSlow] = useState(false);
  if (!going && slow) setSlow(false);
  useEffect(() => {
    if (!going) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [going]);
  return going && slow;
}
