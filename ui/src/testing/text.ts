/** Reads texts for inline snapshots. `npm test -- -u` then updates the tests after a change of wording. */
import { expect } from "vitest";

/** Collapses whitespace, and replaces times, which depend on the time zone. */
const steady = (text: string): string => text.replace(/\s+/g, " ").replace(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d\.\d+)?/g, "<time>").trim();

/** The text of a visible element, with collapsed whitespace and `<time>` instead of times. */
export function textOf(element: Element | null | undefined): string {
  expect(element).toBeVisible();
  return steady(element?.textContent ?? "");
}

/** The text of the elements to which a control's `aria-describedby` refers. */
export function descriptionOf(control: Element | undefined): string {
  const ids = control?.getAttribute("aria-describedby")?.split(" ") ?? [];
  return steady(ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" "));
}
