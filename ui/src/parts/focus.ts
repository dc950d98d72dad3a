import type { FocusEvent } from "react";

/** Whether nothing has the focus, such as after a button that was pressed has gone. */
export function isFocusNowhere(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body;
}

/** For elements that scroll in a separate layer: such a layer restores the focus without scrolling. */
export function intoSight({ target }: FocusEvent<HTMLElement>): void {
  target.scrollIntoView({ block: "nearest" });
}
