/**
 * Replaces browser APIs that happy-dom and jsdom lack or implement differently. All test files of a worker share
 * one page. If a test file resets the modules, this file runs again, so each replacement must work when applied
 * twice.
 */
import * as React from "react";

// React's development build captures a stack trace for each element. No test uses them, and they take a sixth of
// the time to render a large form.
const internals = Reflect.get(React, "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE") as object;
Object.defineProperty(internals, "recentlyCreatedOwnerStacks", { get: () => Infinity, set() {} });

// happy-dom returns no `display` for inline elements. Accessible names would then contain additional spaces around
// the text of inline elements.
const { getPropertyValue } = CSSStyleDeclaration.prototype;
CSSStyleDeclaration.prototype.getPropertyValue = function getValue(this: CSSStyleDeclaration, property: string) {
  const value = getPropertyValue.call(this, property);
  return value === "" && property === "display" ? "inline" : value;
};

// Browsers dispatch this event asynchronously. happy-dom dispatches it synchronously, during the editor's updates.
class QueuedSelectionChange extends Event {
  readonly isQueued = true;
}
window.addEventListener(
  "selectionchange",
  (event) => {
    // If this module has run twice, each of the two listeners must ignore the events that the other one queued.
    if ("isQueued" in event) return;
    event.stopImmediatePropagation();
    queueMicrotask(() => document.dispatchEvent(new QueuedSelectionChange("selectionchange")));
  },
  true,
);

// Scroll containers get a fixed size, because without a layout virtual lists would render no rows.
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
// Radix uses pointer capture in selects, which does not exist here.
Element.prototype.hasPointerCapture = () => false;
Element.prototype.setPointerCapture = () => undefined;
Element.prototype.releasePointerCapture = () => undefined;

// All elements in the document count as visible, unless they are in an element with `hidden` (attribute or class).
Element.prototype.getClientRects = function getClientRects(this: Element) {
  const seen = this.isConnected && !this.closest("[hidden], .hidden");
  return (seen ? [new DOMRect(0, 0, 100, 20)] : []) as unknown as DOMRectList;
};

// The editor requests the position of text ranges, which does not exist without a layout.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

class NoResize implements ResizeObserver {
  observe(): void {
    // Without a layout, no element changes its size.
  }
  unobserve(): void {
    // Without a layout, no element changes its size.
  }
  disconnect(): void {
    // Without a layout, no element changes its size.
  }
}
globalThis.ResizeObserver = NoResize;
// axe draws text to a canvas to detect icon fonts. Without a context, axe skips this.
HTMLCanvasElement.prototype.getContext = () => null;
// No media query matches. The page is therefore dark, with normal contrast and with animations.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
