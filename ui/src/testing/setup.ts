import "@testing-library/jest-dom/vitest";

import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

configure({
  // How long something may take to show up; generous, because other builds may run beside.
  asyncUtilTimeout: 20_000,
  // Text is what is seen. What was said aloud stands in the announcer some seconds later, and stays.
  defaultIgnore: "script, style, .sr-only > [role] *",
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  document.documentElement.removeAttribute("style");
  for (const name of ["theme", "contrast", "ready", "settled"]) document.documentElement.removeAttribute(`data-${name}`);
});

// jsdom has no layout. What scrolls gets a size, so that virtual lists have rows to draw.
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

// What is in the document counts as seen, unless a class hides it at every width.
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
