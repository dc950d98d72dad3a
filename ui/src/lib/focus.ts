import type { FocusEvent } from "react";

/** Whether no element has the focus, for example because the focused button was removed. */
export function isFocusNowhere(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body;
}

/**
 * A focus handler for dialogs that scroll: scrolls the focused element into view. Radix sets the focus with
 * `preventScroll`.
 */
export function intoSight({ target }: FocusEvent<HTMLElement>): void {
  target.scrollIntoView({ block: "nearest" });
}

/**
 * Returns the focused element. While a menu is open, returns the button that opened it, since the
 * menu is removed once its action runs.
 */
export function focusedOutsideMenus(): Element | null {
  const menu = document.querySelector("[role=menu][data-state=open]");
  if (menu) return document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
  return document.activeElement;
}
