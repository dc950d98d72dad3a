import { useEffect } from "react";

import { isFocusNowhere } from "../lib/focus";

/**
 * Focuses the heading of a page after the page has loaded, unless an element has the focus. Without this, the
 * next Tab would start at the top of the window, and screen readers would not announce the page.
 */
export function PageFocus() {
  useEffect(() => {
    // A closing layer moves the focus in the next frame, so this check waits for two frames.
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
