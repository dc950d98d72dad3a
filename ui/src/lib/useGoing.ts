import { useLayoutEffect, useRef } from "react";

import { isFocusNowhere } from "./focus";

/**
 * For a button that disappears with its own press: moves the focus to its replacement, unless the user
 * has moved it elsewhere in between. Returns the press handler.
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
