import { flushSync } from "react-dom";

import { byTestId, searchIn, type EarlyInput } from "../boot/earlyInput";

/** Replays the input that the first paint recorded, in the rendered app. */
export function replayEarlyInput(root: HTMLElement, early: EarlyInput): void {
  const roster = byTestId(root, "roster");
  if (roster && early.scrollTop > 0) roster.scrollTop = early.scrollTop;
  const search = searchIn(root);
  if (search && early.text !== "") {
    // React ignores the input event unless the value was set with the prototype's setter.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(search, early.text);
    flushSync(() => search.dispatchEvent(new Event("input", { bubbles: true })));
  }
  if (early.focus !== null) byTestId(root, early.focus)?.focus({ preventScroll: true });
  for (const press of early.presses) {
    const target = document.activeElement ?? document.body;
    // Each press is rendered before the next one is dispatched, because the next one may depend on the result.
    flushSync(() => target.dispatchEvent(new KeyboardEvent("keydown", { ...press, bubbles: true, cancelable: true })));
  }
}
