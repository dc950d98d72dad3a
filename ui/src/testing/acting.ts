/** What a person does with the page, for states that can be reached in no other way. */

const AGAIN_MS = 20;

/** Once the element is there, which may be fetched first. */
export function whenThere(selector: string, then: (element: HTMLElement) => void): void {
  const element = document.querySelector<HTMLElement>(selector);
  if (element) then(element);
  else again(() => whenThere(selector, then));
}

/** Looks again a moment later, unless the page is gone by then, as after a test. */
function again(look: () => void): void {
  setTimeout(() => {
    if (typeof document !== "undefined") look();
  }, AGAIN_MS);
}

/** Types into a field as a person would. */
export function typeInto(field: HTMLElement, text: string): void {
  // React listens to what the element's own setter is given.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Clicks what can be found by these words, once it is there and can be used. */
export function press(selector: string, words: string): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (one) => one.textContent.startsWith(words) && one.ariaDisabled !== "true",
  );
  if (!found) {
    again(() => press(selector, words));
    return;
  }
  // Tabs listen to the mouse button, other controls to the click.
  found.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, button: 0 }));
  found.click();
}
