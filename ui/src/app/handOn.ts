import { flushSync } from "react-dom";

import { byTestId, searchIn, type Early } from "../boot/early";

/** Gives the app, once it is drawn, what was done before it was there. */
export function handOn(root: HTMLElement, early: Early): void {
  const roster = byTestId(root, "roster");
  if (roster && early.scrollTop > 0) roster.scrollTop = early.scrollTop;
  const search = searchIn(root);
  if (search && early.text !== "") {
    // React listens to what the element's own setter is given.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(search, early.text);
    flushSync(() => search.dispatchEvent(new Event("input", { bubbles: true })));
  }
  if (early.focus !== null) byTestId(root, early.focus)?.focus({ preventScroll: true });
  for (const press of early.presses) {
    const target = document.activeElement ?? document.body;
    // Each press finds what the one before has changed.
    flushSync(() => target.dispatchEvent(new KeyboardEvent("keydown", { ...press, bubbles: true, cancelable: true })));
  }
}
