/** Tests where the focus goes after an action of a row, because many actions remove the control that was used. */

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { textOf } from "../../testing/text";

import { showForm } from "./testing/harness";
import { fromMenu } from "./testing/menus";

const object = (properties: Record<string, unknown>) => ({ type: "object", properties, additionalProperties: false });
const map = { type: "object", additionalProperties: { type: "string" } };
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

describe("a key that is renamed", () => {
  it("is typed at once, and its button has the focus again", async () => {
    const user = userEvent.setup();
    const form = showForm(map, { json: '{"a":"x","b":"y"}' });
    await fromMenu("a", "Rename…");
    expect(screen.getByLabelText("New name of a")).toHaveFocus();
    await user.keyboard("2{Enter}");
    expect(form.text()).toBe('{"a2":"x","b":"y"}');
    expect(screen.getByRole("button", { name: "Actions for a2" })).toHaveFocus();
    await fromMenu("a2", "Rename…");
    await user.keyboard("3{Escape}");
    expect(screen.getByRole("button", { name: "Actions for a2" })).toHaveFocus();
    expect(form.text()).toBe('{"a2":"x","b":"y"}');
  });

  it("keeps its field, and says so, while its name is taken", async () => {
    const user = userEvent.setup();
    const form = showForm(map, { json: '{"a":"x","b":"y"}' });
    await fromMenu("a", "Rename…");
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
    await fromMenu("a", "Remove");
    expect(form.container.querySelector('[data-place="/inner"]')).toHaveFocus();
    await fromMenu("b", "Remove");
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
    await fromMenu("n", /^Use default/);
    expect(screen.getByLabelText("n")).toHaveFocus();
    await fromMenu("n", "Send null");
    expect(screen.getByText("null", { selector: "[id]" })).toHaveFocus();
    await fromMenu("n", "Clear");
    expect(screen.getByLabelText("n")).toHaveFocus();
    await fromMenu("flag", /^Use default/);
    expect(screen.getByRole("radio", { name: "False" })).toHaveFocus();
    await fromMenu("s", /^Send empty/);
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

  it("goes to the JSON of a list and back to its fields", async () => {
    const form = showForm(object({ anything: {}, names: { type: "array", items: { type: "string" } } }), { json: '{"anything":[1],"names":["a"]}' });
    for (const name of ["anything", "names"]) {
      await fromMenu(name, "Edit as JSON");
      expect(screen.getByLabelText(`${name} as JSON`)).toHaveFocus();
      await fromMenu(name, "Edit as field");
      expect(document.activeElement?.closest("[data-place]")).toBe(form.container.querySelector(`[data-place="/${name}"]`));
    }
  });
});
