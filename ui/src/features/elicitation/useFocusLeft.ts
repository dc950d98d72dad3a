import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

import { focusPage } from "../../lib/regions";

/** Calls `onLeft` when the panel is unmounted with the focus inside. */
export function useLeaving(panel: RefObject<HTMLElement | null>, onLeft: () => void): void {
  const left = useRef(onLeft);
  useLayoutEffect(() => {
    left.current = onLeft;
  });
  useLayoutEffect(() => {
    const node = panel.current;
    return () => {
      if (node?.contains(document.activeElement)) left.current();
    };
  }, [panel]);
}

/**
 * Returns the callback for `useLeaving` and the ref of a surrounding element. This element is focused after the
 * panel was unmounted with the focus inside. If the element was removed too, the page takes the focus.
 */
export function useFocusLeft() {
  const around = useRef<HTMLDivElement>(null);
  const lost = useRef(false);
  useEffect(() => {
    if (!lost.current) return;
    lost.current = false;
    if (around.current) around.current.focus();
    else focusPage();
  });
  const onLeft = () => {
    lost.current = true;
  };
  return { around, onLeft };
}
