import { flushSync } from "react-dom";

/**
 * Draws what an event has changed so far, so that its handler can put the focus on it at once:
 * a frame later the user may already type elsewhere, and would be torn away.
 */
export function drawNow(): void {
  flushSync(() => undefined);
}
