/**
 * The parts of a page that happy-dom and jsdom lack or do differently. All files of a worker share one
 * page. A file that resets the modules loads this one again, so each part can be put in twice.
 */
import * as React from "react";

// React's development build captures a stack for each element. No test reads them, and they cost a
// sixth of the time of a large form.
const internals = Reflect.get(React, "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE") as object;
Object.defineProperty(internals, "recentlyCreatedOwnerStacks", { get: () => Infinity, set() {} });

// The display of inline elements is left out, and the accessible name of a button that holds one
// would get blanks around it.
const { getPropertyValue } = CSSStyleDeclaration.prototype;
CSSStyleDeclaration.prototype.getPropertyValue = function getValue(this: CSSStyleDeclaration, property: string) {
  const value = getPropertyValue.call(this, property);
  return value === "" && property === "display" ? "inline" : value;
};

// Browsers queue this event. Here it is dispatched in the middle of an update of the editor.
class QueuedSelectionChange extends Event {
  readonly isQueued = true;
}
window.addEventListener(
  "selectionchange",
  (event) => {
    // Two listeners of two loads of this module each know the events of the other.
    if ("isQueued" in event) return;
    event.stopImmediatePropagation();
    queueMicrotask(() => document.dispatchEvent(new QueuedSelectionChange("selectionchange")));
  },
  true,
);

// Without a layout, scrolling elements get a size, so that virtual lists have rows to draw.
const VIEWPORT = { offsetHeight: 600, clientHeight: 600, offsetWidth: 300, clientWidth: 300 };
for (const [name, size] of Object.entries(VIEWPORT)) {
  Object.defineProperty(HTMLElement.prototype, name, {
    configurable: true,
    get(this: HTMLElement) {
      return "viewport" in this.dataset ? size : 0;
    },
  });
}
Element.prototype.scrollTo = function scrollTo(this: Element, to?: ScrollToOptions | number) {
  if (typeof to === "object" && to.top !== undefined) {
    this.scrollTop = to.top;
    this.dispatchEvent(new Event("scroll"));
  }
};
Element.prototype.scrollIntoView = () => undefined;
// Radix's lists ask for the pointer, which no test holds.
Element.prototype.hasPointerCapture = () => false;
Element.prototype.setPointerCapture = () => undefined;
Element.prototype.releasePointerCapture = () => undefined;

// Every element in the document counts as seen, unless a class hides it at every width.
Element.prototype.getClientRects = function getClientRects(this: Element) {
  const seen = this.isConnected && !this.closest("[hidden], .hidden");
  return (seen ? [new DOMRect(0, 0, 100, 20)] : []) as unknown as DOMRectList;
};

// A range of text has no place either; the editor asks for one.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

class NoResize implements ResizeObserver {
  observe(): void {
    // Nothing changes its size here.
  }
  unobserve(): void {
    // See above.
  }
  disconnect(): void {
    // See above.
  }
}
globalThis.ResizeObserver = NoResize;
// axe looks at icons of fonts by drawing them; there is nothing to draw on.
HTMLCanvasElement.prototype.getContext = () => null;
// Nor a system that asks for anything: dark, without more contrast or less motion.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
