import { flushSync } from "react-dom";

import { byTestId, searchIn, type EarlyInput } from "../boot/earlyInput";

/** Applies the input from before the app to the drawn app. */
export function replayEarlyInput(root: HTMLElement, early: EarlyInput): void {
  const roster = byTestId(root, "roster");
  if (roster && early.scrollTop > 0) roster.scrollTop = early.scrollTop;
  const search = searchIn(root);
  if (search && early.text !== "") {
    // React observes only changes by the element's own setter.
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
