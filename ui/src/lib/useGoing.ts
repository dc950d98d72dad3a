import { useLayoutEffect, useRef } from "react";

import { isFocusNowhere } from "./focus";

/**
 * For a button that is removed as a result of its press. Once `isThere` is false, focuses the element that `next`
 * returns, unless the user has focused another element. Returns the function to call on the press.
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
