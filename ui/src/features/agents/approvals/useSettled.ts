import { useEffect, useState } from "react";

/**
 * The time in which the buttons of newly shown approvals are unavailable. An earlier click may have been meant for the
 * control that they replaced.
 */
const SETTLE_MS = 400;

/** Whether the subject (the ID of an approval, or the IDs in a list) has been shown for at least `SETTLE_MS`. */
export function useSettled(what: string): boolean {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(what), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [what]);
  return settled === what;
}
