import { flushSync } from "react-dom";

/**
 * Renders the state updates that an event handler has made so far, so that the handler can focus a new element
 * at once. One frame later the user may already be typing in another field, which would lose the focus.
 */
export function drawNow(): void {
  flushSync(() => undefined);
}
