import { useLayoutEffect, useRef } from "react";

import { isFocusNowhere } from "./focus";

/**
 * For a button that goes with its own press: gives the focus to what took its place, and not where somebody
 * has gone elsewhere meanwhile. Returns what its press tells.
 */
export function useGoing(isThere: boolean, next: () => HTMLElement | null): () => void {
  const pressed = useRef(false);
  useLayoutEffect(() => {
    if (isThere || !pressed.current) return;
    pressed.current = false;
    if (isFocusNowhere()) next()?.focus();
  });
  return () => {
    pressed.current = true;
  };
}
