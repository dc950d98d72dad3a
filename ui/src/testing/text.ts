/** Reads the text of an element for an inline snapshot, so that `npm test -- -u` accepts a copy edit. */
import { expect } from "vitest";

const singleBlanks = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The text of an element that people can see, with single blanks. */
export function textOf(element: Element | null | undefined): string {
  expect(element).toBeVisible();
  return singleBlanks(element?.textContent ?? "");
}

/** The text of the elements that describe a control to screen readers. */
export function descriptionOf(control: Element | undefined): string {
  const ids = control?.getAttribute("aria-describedby")?.split(" ") ?? [];
  return singleBlanks(ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" "));
}
