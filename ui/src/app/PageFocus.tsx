import { useEffect } from "react";

import { isFocusNowhere } from "../parts/focus";

/**
 * Stands beside a page once it is there. A page that is opened from what went with it, or by a key, begins at
 * its heading: else the next Tab would begin at the window's top, and a screen reader would say nothing of
 * it. Whoever has the focus keeps it.
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
