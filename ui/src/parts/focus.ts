import type { FocusEvent } from "react";

/** Whether nothing has the focus, such as after a button that was pressed has gone. */
export function isFocusNowhere(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body;
}

/** For what scrolls in a layer of its own: such a layer gives the focus back without scrolling. */
export function intoSight({ target }: FocusEvent<HTMLElement>): void {
  target.scrollIntoView({ block: "nearest" });
}
