import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { showForm } from "./testing/harness";

const object = (properties: Record<string, unknown>, required: string[] = []) => ({ type: "object", properties, required });
const nullable = { anyOf: [{ type: "string" }, { type: "null" }], default: "x" };

describe("the Tab key", () => {
  it("goes from field to field, past the buttons beside them", async () => {
    const user = userEvent.setup();
    showForm(object({ a: nullable, b: { type: "string", description: "Long. ".repeat(60) }, n: { type: "integer", examples: [7] }, f: { type: "boolean" } }));
    screen.getByLabelText("a").focus();
    for (const next of ["b", "n"]) {
      await user.tab();
      expect(screen.getByLabelText(next)).toHaveFocus();
    }
    await user.tab();
    expect(screen.getByRole("radio", { name: "Not set" })).toHaveFocus();
  });
});

describe("the menu beside a field", () => {
  it("is reached by F2, and left by Esc", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ a: nullable, b: nullable }));
    const focused = () => document.activeElement?.getAttribute("aria-label");
    screen.getByLabelText("b").focus();
    await user.keyboard("{F2}");
    expect(focused()).toBe("Actions for b");
    await user.keyboard("{Escape}");
    expect(screen.getByLabelText("b")).toHaveFocus();
    await user.keyboard("{F2}{Enter}{ArrowDown}{ArrowDown}");
    expect(document.activeElement).toHaveTextContent("Send null");
    await user.keyboard("{Enter}");
    expect(form.text()).toBe('{"b":null}');
  });

  it("of an item is that of the item, not of its list", async () => {
    const user = userEvent.setup();
    showForm(object({ l: { type: "array", items: { type: "string" } } }), { json: '{"l":["x"]}' });
    screen.getByLabelText("l[0]").focus();
    await user.keyboard("{F2}");
    expect(document.activeElement).toHaveAttribute("aria-label", "Actions for l[0]");
    await user.keyboard("{F2}");
    expect(screen.getByLabelText("l[0]")).toHaveFocus();
  });
});

describe("an item that was added", () => {
  it.each([
    ["an object", object({ later: { type: "string" }, method: { enum: ["a", "b"] } }, ["method"]), "l[0].method"],
    ["a text", { type: "string" }, "l[0]"],
    ["a list", { type: "array", items: { type: "string" } }, null],
    ["a union", { anyOf: [object({ a: { type: "string" } }), object({ b: { type: "string" } })] }, "Variant of [0]"],
  ])("as %s has the focus in its first field", async (_, items, label) => {
    const user = userEvent.setup();
    showForm(object({ l: { type: "array", items } }));
    await user.click(screen.getByRole("button", { name: "Add item to l" }));
    await waitFor(() => {
      if (label === null) expect(document.activeElement?.closest("[data-place='/l/0']")).not.toBeNull();
      else expect(screen.getByLabelText(label).contains(document.activeElement)).toBe(true);
    });
  });
});
