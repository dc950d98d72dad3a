/** Reads the text of an element for an inline snapshot, so that `npm test -- -u` accepts a copy edit. */
import { expect } from "vitest";

/** Single blanks, and no times: they depend on the time zone. */
const steady = (text: string): string => text.replace(/\s+/g, " ").replace(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d\.\d+)?/g, "<time>").trim();

/** The text of an element that people can see, with single blanks and `<time>` for each time. */
export function textOf(element: Element | null | undefined): string {
  expect(element).toBeVisible();
  return steady(element?.textContent ?? "");
}

/** The text of the elements that describe a control to screen readers. */
export function descriptionOf(control: Element | undefined): string {
  const ids = control?.getAttribute("aria-describedby")?.split(" ") ?? [];
  return steady(ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" "));
}
