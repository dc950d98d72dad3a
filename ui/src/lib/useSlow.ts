import { useEffect, useState } from "react";

/** Waits of less than this many milliseconds are not shown, because the notice would flicker. */
const SLOW_MS = 300;

/** Whether `going` has been true for `SLOW_MS`. */
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
