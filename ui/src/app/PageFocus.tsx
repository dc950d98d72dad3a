import { useEffect } from "react";

import { isFocusNowhere } from "../lib/focus";

/**
 * Rendered beside a loaded page. If the focused element disappeared or the page was opened by a key, it moves
 * the focus to the heading. Otherwise the next Tab would start at the top of the window, and a screen reader
 * would not announce the page. An element that has the focus keeps it.
 */
export function PageFocus() {
  useEffect(() => {
    // A layer that closes gives the focus back in the first frame.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        const heading = document.querySelector<HTMLElement>("main h1");
        if (heading === null || !isFocusNowhere()) return;
        heading.tabIndex = -1;
        heading.focus();
      });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return null;
}
