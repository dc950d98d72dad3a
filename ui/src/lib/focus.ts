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

/** The element with the focus, or the button of the menu that has it: the menu is gone once its action runs. */
export function focusedOutsideMenus(): Element | null {
  let focused = document.activeElement;
  for (let menu = focused?.closest("[role=menu]"); menu; menu = focused?.closest("[role=menu]")) {
    focused = document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
  }
  return focused;
}
