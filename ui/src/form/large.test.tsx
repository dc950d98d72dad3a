import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { showForm } from "./testing/harness";

const names = (count: number) => Array.from({ length: count }, (_, index) => `field_${index}`);
const manyTexts = (count: number) => ({
  type: "object",
  properties: Object.fromEntries(names(count).map((name) => [name, { type: "string" }])),
});
/** The field at a place. Asking for its label takes seconds in a large form. */
const fieldAt = (page: HTMLElement, pointer: string) => page.querySelector<HTMLInputElement>(`[data-place="${pointer}"] input`);
const shownOf = (page: HTMLElement, count: number) => names(count).filter((name) => fieldAt(page, `/${name}`) !== null);

describe("a form with many optional fields", () => {
  it.each([33, 60])("of %i shows each field of its page while it is filled", (count) => {
    const { container, text } = showForm(manyTexts(count));
    const page = names(Math.min(count, 40));
    for (const name of page) fireEvent.change(fieldAt(container, `/${name}`)!, { target: { value: "x" } });
    expect(Object.keys(JSON.parse(text()) as object)).toEqual(page);
    expect(shownOf(container, count)).toEqual(page);
  });

  it("keeps the rows of a group inside of it as well", () => {
    const { container, text } = showForm({ type: "object", properties: { inner: manyTexts(33) }, required: ["inner"] });
    fireEvent.click(screen.getByText(/^show 13 more/));
    for (const name of names(33)) fireEvent.change(fieldAt(container, `/inner/${name}`)!, { target: { value: "x" } });
    expect(Object.keys((JSON.parse(text()) as { inner: object }).inner)).toEqual(names(33));
  });

  it("shows fields with a value beside those of the page", () => {
    const { container } = showForm(manyTexts(60), { json: '{"field_55":"x"}' });
    expect(shownOf(container, 60)).toEqual([...names(40), "field_55"]);
    fireEvent.click(screen.getByText(/^show 19 more of 19/));
    expect(shownOf(container, 60)).toEqual(names(60));
  });
});
