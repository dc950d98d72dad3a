/** Where the focus is after a button of a row: most of them go with what they do. */

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { textOf } from "../testing/text";

import { showForm } from "./testing/harness";

const object = (properties: Record<string, unknown>) => ({ type: "object", properties, additionalProperties: false });
const map = { type: "object", additionalProperties: { type: "string" } };
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

describe("a key that is renamed", () => {
  it("is typed at once, and its button has the focus again", async () => {
    const user = userEvent.setup();
    const form = showForm(map, { json: '{"a":"x","b":"y"}' });
    screen.getByRole("button", { name: "Rename a" }).focus();
    await user.keyboard("{Enter}");
    expect(screen.getByLabelText("New name of a")).toHaveFocus();
    await user.keyboard("2{Enter}");
    expect(form.text()).toBe('{"a2":"x","b":"y"}');
    expect(screen.getByRole("button", { name: "Rename a2" })).toHaveFocus();
    await user.keyboard("{Enter}3{Escape}");
    expect(screen.getByRole("button", { name: "Rename a2" })).toHaveFocus();
    expect(form.text()).toBe('{"a2":"x","b":"y"}');
  });

  it("keeps its field, and says so, while its name is taken", async () => {
    const user = userEvent.setup();
    const form = showForm(map, { json: '{"a":"x","b":"y"}' });
    await press("Rename a");
    const field = screen.getByLabelText("New name of a");
    await user.clear(field);
    await user.type(field, "b{Enter}");
    expect(textOf(screen.getByRole("alert"))).toMatchInlineSnapshot(`"This key is taken"`);
    expect(field).toHaveFocus();
    await user.tab();
    expect(screen.getByLabelText("New name of a")).toHaveValue("b");
    expect(textOf(screen.getByRole("alert"))).toMatchInlineSnapshot(`"This key is taken"`);
    await user.type(field, "2{Enter}");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(form.text()).toBe('{"b2":"x","b":"y"}');
  });
});

describe("the focus", () => {
  it("goes into the field for another key, and stays there while keys are added", async () => {
    const user = userEvent.setup();
    showForm({ ...object({ s: { type: "string" } }), additionalProperties: { type: "string" } });
    await press("Add a key to the arguments");
    const field = screen.getByLabelText("Name of the new key");
    expect(field).toHaveFocus();
    await user.keyboard("a");
    await press("Add key");
    expect(field).toHaveFocus();
  });

  it("is in the group around a key that was removed, or in the form", async () => {
    const form = showForm({ ...map, properties: { inner: map } }, { json: '{"inner":{"a":"x"},"b":"y"}' });
    await press("Remove a");
    expect(form.container.querySelector('[data-place="/inner"]')).toHaveFocus();
    await press("Remove b");
    expect(form.container.querySelector("[id$=-rows]")).toHaveFocus();
  });

  it("is at the field whose value a button has set or taken away", async () => {
    showForm(
      object({
        n: { type: ["integer", "null"], default: 3, examples: [7] },
        flag: { type: "boolean", default: false },
        s: { type: "string" },
        e: { type: "string", examples: ["x"] },
      }),
    );
    await press("Set n to its default");
    expect(screen.getByLabelText("n")).toHaveFocus();
    await press("Set n to null");
    expect(screen.getByText("null", { selector: "[id]" })).toHaveFocus();
    await press("Unset n");
    expect(screen.getByLabelText("n")).toHaveFocus();
    await press("Set flag to its default");
    expect(screen.getByLabelText("false")).toHaveFocus();
    await press("Set s to empty");
    expect(screen.getByLabelText("s")).toHaveFocus();
    await press("Set e to the example x");
    expect(screen.getByLabelText("e")).toHaveFocus();
  });

  it("is at the list that is shown as one, and in the form that is shown again", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ l: { type: "array", items: { enum: ["a", "b"] } } }));
    await press("Show l as a list of items");
    expect(form.container.querySelector('[data-place="/l"]')).toHaveFocus();
    form.unmount();

    const other = showForm(object({ s: { type: "string" } }), { json: "[1]" });
    const editor = await screen.findByRole("textbox", { name: "Arguments as JSON" });
    await user.clear(editor);
    await user.click(editor);
    await user.paste("{}");
    await press("Show the form");
    expect(other.container.querySelector("[id$=-rows]")).toHaveFocus();
  });

  it("stays at the button that shows a list as JSON, and back, also where the row is another one then", async () => {
    const user = userEvent.setup();
    showForm(object({ anything: {}, names: { type: "array", items: { type: "string" } } }), { json: '{"anything":[1],"names":["a"]}' });
    for (const name of ["anything", "names"]) {
      const button = () => screen.getByRole("button", { name: `Edit ${name} as JSON` });
      button().focus();
      await user.keyboard("{Enter}");
      expect(button()).toHaveAttribute("aria-pressed", "true");
      expect(button()).toHaveFocus();
      await user.keyboard("{Enter}");
      expect(button()).toHaveAttribute("aria-pressed", "false");
      expect(button()).toHaveFocus();
    }
  });
});
