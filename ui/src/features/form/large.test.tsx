import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { showForm } from "./testing/harness";
import { select } from "./testing/menus";

const names = (count: number) => Array.from({ length: count }, (_, index) => `field_${index}`);
const manyTexts = (count: number) => ({
  type: "object",
  properties: Object.fromEntries(names(count).map((name) => [name, { type: "string" }])),
});
/** The field at a pointer. A query by label would take seconds in a large form. */
const fieldAt = (page: HTMLElement, pointer: string) => page.querySelector<HTMLInputElement>(`[data-place="${pointer}"] input`);
const shownOf = (page: HTMLElement, count: number) => names(count).filter((name) => fieldAt(page, `/${name}`) !== null);

const openOptional = () => fireEvent.click(screen.getByRole("button", { name: /^Optional/ }));

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
    fireEvent.click(screen.getByText(/^Show 13 more/));
    for (const name of names(33)) fireEvent.change(fieldAt(container, `/inner/${name}`)!, { target: { value: "x" } });
    expect(Object.keys((JSON.parse(text()) as { inner: object }).inner)).toEqual(names(33));
  });

  it("shows fields with a value beside those of the page", () => {
    const { container } = showForm(manyTexts(60), { json: '{"field_55":"x"}' });
    expect(shownOf(container, 60)).toEqual(["field_55"]);
    openOptional();
    expect(shownOf(container, 60)).toEqual([...names(40), "field_55"]);
    fireEvent.click(screen.getByText(/^Show 19 more of 19/));
    expect(shownOf(container, 60)).toEqual(names(60));
  });

  it("keeps the row of a field beyond the page that is emptied, and its focus", async () => {
    const user = userEvent.setup();
    const { container, text } = showForm(manyTexts(60), { json: '{"field_55":"x"}' });
    const field = fieldAt(container, "/field_55")!;
    await user.clear(field);
    expect(text()).toBe("{}");
    expect(field).toHaveFocus();
    await user.keyboard("yz");
    expect(fieldAt(container, "/field_55")).toBe(field);
    expect(text()).toBe('{"field_55":"yz"}');
  });

  it("keeps the row of a field that the filter found, with the filter and without it", async () => {
    const user = userEvent.setup();
    const { container, text } = showForm(manyTexts(60));
    const filter = screen.getByLabelText("Filter optional fields");
    await user.type(filter, "field_55");
    await user.type(fieldAt(container, "/field_55")!, "x");
    await user.clear(filter);
    await user.clear(fieldAt(container, "/field_55")!);
    expect(fieldAt(container, "/field_55")).toHaveFocus();
    expect(text()).toBe("{}");
    expect(shownOf(container, 60)).toEqual([...names(40), "field_55"]);
  });

  it("keeps the row of a field that is required no longer, and of a menu that is unset", async () => {
    const user = userEvent.setup();
    const { properties } = manyTexts(60);
    const { container } = showForm({
      type: "object",
      properties: { ...properties, field_58: { enum: ["a", "b"] } },
      dependentRequired: { field_0: ["field_55"] },
    });
    fireEvent.change(fieldAt(container, "/field_0")!, { target: { value: "x" } });
    fireEvent.change(fieldAt(container, "/field_0")!, { target: { value: "" } });
    expect(fieldAt(container, "/field_55")).not.toBeNull();
    await user.type(screen.getByLabelText("Filter optional fields"), "field_58");
    await select("field_58", "a");
    await user.clear(screen.getByLabelText("Filter optional fields"));
    await select("field_58", "Not set");
    expect(screen.getByRole("radiogroup", { name: "field_58" })).toBeVisible();
  });

  it("keeps the rows of fields beyond those that show their value by themselves", () => {
    const given = Object.fromEntries(names(155).slice(50).map((name) => [name, "x"]));
    const { container } = showForm(manyTexts(155), { json: JSON.stringify(given) });
    openOptional();
    const before = shownOf(container, 155);
    expect(before).toEqual([...names(40), ...names(150).slice(50)]);
    fireEvent.change(screen.getByLabelText("Filter optional fields"), { target: { value: "field_45" } });
    fireEvent.change(fieldAt(container, "/field_45")!, { target: { value: "x" } });
    fireEvent.change(screen.getByLabelText("Filter optional fields"), { target: { value: "" } });
    // `field_45` precedes the 100 fields that are shown because they have a value. All 100 keep their rows.
    expect(shownOf(container, 155)).toEqual([...names(40), "field_45", ...names(150).slice(50)]);
  });
});
