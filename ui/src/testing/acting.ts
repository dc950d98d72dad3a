/** Simulates user input for states of the catalog of UI states that can't be reached by changing stores. */

const AGAIN_MS = 20;

/** Calls `then` with the element once the document contains it. The element's page may still be loading. */
export function whenThere(selector: string, then: (element: HTMLElement) => void): void {
  const element = document.querySelector<HTMLElement>(selector);
  if (element) then(element);
  else again(() => whenThere(selector, then));
}

/** Calls `look` after a short time, unless the document no longer exists, as after the end of a test file. */
function again(look: () => void): void {
  setTimeout(() => {
    if (typeof document !== "undefined") look();
  }, AGAIN_MS);
}

/** Sets the text of an input as a user does, with an `input` event. */
export function typeInto(field: HTMLElement, text: string): void {
  // React ignores the input event unless the value was set with the prototype's setter.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Clicks the first enabled element whose text starts with `words`, once the document contains it. */
export function press(selector: string, words: string): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (one) => one.textContent.startsWith(words) && one.ariaDisabled !== "true",
  );
  if (!found) {
    again(() => press(selector, words));
    return;
  }
  // Radix tabs react to `mousedown`, other controls to `click`.
  found.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, button: 0 }));
  found.click();
}
