/** Tests the behavior that a new user sees first: field order, empty fields, problems and focus. */

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { showForm } from "./testing/harness";
import { fromFormMenu, fromMenu, valuesOf } from "./testing/menus";

const object = (properties: Record<string, unknown>, required: string[] = []) => ({ type: "object", properties, required });
const text = { type: "string" };
const texts = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, text]));
const places = (container: HTMLElement) => [...container.querySelectorAll<HTMLElement>("[data-place]")].map((row) => row.dataset["place"]);

describe("the order of fields", () => {
  it("is required, filled, then optional", () => {
    const { container } = showForm(object({ a: text, b: text, c: text }, ["c"]), { json: '{"b":"x"}' });
    expect(places(container)).toEqual(["/c", "/b", "/a"]);
    expect(screen.getByRole("button", { name: "Optional 1" })).toHaveAttribute("aria-expanded", "true");
  });

  it("hides more than six optional fields at first", async () => {
    const user = userEvent.setup();
    const { container } = showForm(object({ r: text, ...texts(7) }, ["r"]));
    expect(places(container)).toEqual(["/r"]);
    await user.click(screen.getByRole("button", { name: "Optional 7" }));
    expect(places(container)).toHaveLength(8);
    await user.type(screen.getByLabelText("f3"), "x");
    await user.click(screen.getByRole("button", { name: "Optional 7" }));
    expect(places(container)).toEqual(["/r", "/f3"]);
  });
});

describe("a field without a value", () => {
  it("shows that it is not set, or its default", async () => {
    showForm(object({ s: text, n: { type: "number", default: 3.2 }, b: { type: "boolean", default: false }, e: { enum: ["a", "b"] } }));
    expect(screen.getByLabelText("s")).toHaveAttribute("placeholder", "Not set");
    expect(screen.getByLabelText("n")).toHaveAttribute("placeholder", "3.2 (default)");
    expect(await valuesOf("b")).toEqual(["Not set", "True", "False (default)"]);
    expect(await valuesOf("e")).toEqual(["Not set", "a", "b"]);
  });

  it("has a button to clear it once it is filled", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ s: text, r: text }, ["r"]), { json: '{"s":"x","r":"y"}' });
    expect(screen.queryByRole("button", { name: "Clear r" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Clear s" }));
    expect(form.text()).toBe('{"r":"y"}');
    expect(screen.getByLabelText("s")).toHaveFocus();
  });

  it("has a menu with only the actions that apply", async () => {
    const user = userEvent.setup();
    const items = async (name: string) => {
      await user.click(screen.getByRole("button", { name: `Actions for ${name}` }));
      const found = (await screen.findAllByRole("menuitem")).map((one) => one.textContent);
      await user.keyboard("{Escape}");
      return found;
    };
    showForm(object({ n: { type: ["number", "null"], default: 3.2 }, s: text }));
    expect(await items("n")).toEqual(["Use default (3.2)", "Send null", "Edit as JSON", "Copy path"]);
    expect(await items("s")).toEqual(["Send empty text", "Edit as JSON", "Copy path"]);
    await user.type(screen.getByLabelText("s"), "x");
    expect(await items("s")).toEqual(["Clear", "Edit as JSON", "Copy path"]);
  });
});

describe("arguments that the schema doesn't declare", () => {
  it("are added by the form's menu only", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ s: text }));
    expect(screen.queryByRole("button", { name: /^Add a key/ })).toBeNull();
    await fromFormMenu("Add another argument…");
    expect(screen.getByLabelText("Name of the new key")).toHaveFocus();
    await user.keyboard("extra{Enter}");
    await fromMenu("extra", "Remove");
    expect(form.text()).toBe("{}");
  });

  it("have a button where the schema types them", () => {
    showForm({ ...object({ s: text }), additionalProperties: text });
    expect(screen.getByRole("button", { name: /^Add a key/ })).toBeVisible();
  });

  it("leave a tool without arguments empty", () => {
    showForm({ type: "object" });
    expect(screen.getByText("This tool takes no arguments.")).toBeVisible();
  });
});

describe("a run with problems", () => {
  it("focuses the first wrong field and lists all", async () => {
    const user = userEvent.setup();
    const errors = () => ["/b", "/a"].map((pointer) => ({ pointer, message: "Wrong.", keyword: "" }));
    showForm(object({ a: text, b: text }), { errors });
    await user.click(screen.getByTestId("run"));
    const summary = await screen.findByRole("alert");
    expect(summary).toHaveTextContent("2 problems:ba");
    await waitFor(() => expect(screen.getByLabelText("b")).toHaveFocus());
    await user.click(within(summary).getByRole("button", { name: "a: Wrong." }));
    expect(screen.getByLabelText("a")).toHaveFocus();
  });
});
