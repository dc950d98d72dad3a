import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { showForm } from "./testing/harness";
import { fromFormMenu, fromMenu, select } from "./testing/menus";

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});

describe("filling from empty", () => {
  it("writes a text, and clearing it means unset", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ s: { type: "string" } }));
    expect(form.text()).toBe("{}");
    await user.type(screen.getByLabelText("s"), "a b");
    expect(form.text()).toBe('{"s":"a b"}');
    await user.clear(screen.getByLabelText("s"));
    expect(form.text()).toBe("{}");
  });

  it("tells empty and unset apart", async () => {
    const form = showForm(object({ s: { type: "string" }, l: { type: "array" }, o: { type: "object" } }));
    for (const name of ["s", "l", "o"]) await fromMenu(name, /^Send empty/);
    expect(form.text()).toBe('{"s":"","l":[],"o":{}}');
    for (const name of ["s", "l", "o"]) await fromMenu(name, "Clear");
    expect(form.text()).toBe("{}");
  });

  it.each(["1e-9", "-0", "9007199254740993", "1.50"])("sends the number %s digit for digit", async (typed) => {
    const user = userEvent.setup();
    const form = showForm(object({ n: { type: "number" } }));
    await user.type(screen.getByLabelText("n"), typed);
    expect(form.text()).toBe(`{"n":${typed}}`);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(form.ran).toEqual([`{"n":${typed}}`]));
  });

  it.each(["1.", "abc"])("refuses the number %s at its field, and calls nothing", async (typed) => {
    const user = userEvent.setup();
    const form = showForm(object({ n: { type: "integer" } }));
    await user.type(screen.getByLabelText("n"), `${typed}{Enter}`);
    expect(screen.getByLabelText("n")).toHaveAttribute("aria-invalid", "true");
    expect(screen.getByRole("alert")).toHaveTextContent("1 problem:n");
    expect(form.ran).toEqual([]);
    expect(form.checked).toEqual(['{"n":null}']);
    await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    expect(form.sent).toEqual([]);
  });

  it("writes true and false, and neither before a choice", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ b: { type: "boolean", default: true } }));
    expect(form.text()).toBe("{}");
    const group = within(screen.getByRole("radiogroup", { name: "b" }));
    await user.click(group.getByRole("radio", { name: "False" }));
    expect(form.text()).toBe('{"b":false}');
    await user.click(group.getByRole("radio", { name: "True" }));
    expect(form.text()).toBe('{"b":true}');
    await fromMenu("b", "Clear");
    expect(form.text()).toBe("{}");
  });

  it("writes options with their own types", async () => {
    const form = showForm(object({ e: { enum: [1, "1", true, null] } }));
    const texts: string[] = [];
    for (const value of ["1", "Not set", "1", '"1"', "true", "null"]) {
      await select("e", value);
      texts.push(form.text());
    }
    expect(texts).toEqual(['{"e":1}', "{}", '{"e":1}', '{"e":"1"}', '{"e":true}', '{"e":null}']);
  });

  it("finds one of many options by typing", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ tz: { enum: Array.from({ length: 2_000 }, (_, index) => `zone/${index}`) } }));
    await user.type(screen.getByRole("combobox", { name: "tz" }), "1234{Enter}");
    expect(form.text()).toBe('{"tz":"zone/1234"}');
    expect(form.ran).toEqual([]);
    await user.clear(screen.getByRole("combobox", { name: "tz" }));
    await user.type(screen.getByRole("combobox", { name: "tz" }), "elsewhere{Tab}");
    expect(form.text()).toBe('{"tz":"elsewhere"}');
  });

  it("leaves a choice as it is when nothing was searched, and lets Enter run the form", async () => {
    const user = userEvent.setup();
    const zones = { tz: { enum: Array.from({ length: 30 }, (_, index) => `zone/${index}`) } };
    const form = showForm(object(zones), { json: '{"tz":"zone/3"}' });
    const search = screen.getByRole("combobox", { name: "tz" });
    await user.click(search);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(form.ran).toEqual(['{"tz":"zone/3"}']));
    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    expect(form.text()).toBe('{"tz":"zone/4"}');
    expect(form.ran).toHaveLength(1);
    await user.clear(search);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(form.ran).toEqual(['{"tz":"zone/3"}', "{}"]));
  });

  it("scrolls to the option that an arrow key marks", async () => {
    const user = userEvent.setup();
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    showForm(object({ tz: { enum: Array.from({ length: 30 }, (_, index) => `zone/${index}`) } }), { json: '{"tz":"zone/19"}' });
    await user.click(screen.getByRole("combobox", { name: "tz" }));
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(scrolled.mock.contexts.map((option) => (option as Element).textContent)).toEqual(["zone/19", "zone/20", "zone/21"]);
    expect(scrolled).toHaveBeenLastCalledWith({ block: "nearest" });
  });

  it("ticks several of some values", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ days: { type: "array", items: { enum: ["mon", "tue", "wed"] } } }));
    await user.click(screen.getByLabelText("tue"));
    await user.click(screen.getByLabelText("mon"));
    expect(form.text()).toBe('{"days":["tue","mon"]}');
    await user.click(screen.getByLabelText("tue"));
    expect(form.text()).toBe('{"days":["mon"]}');
  });

  it("adds, moves and removes items", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ l: { type: "array", items: { type: "string" } } }, ["l"]));
    for (const [index, word] of ["a", "b", "c"].entries()) {
      await user.click(screen.getByRole("button", { name: "Add item to l" }));
      await user.type(screen.getByLabelText(`l[${index}]`), word);
    }
    expect(form.text()).toBe('{"l":["a","b","c"]}');
    await fromMenu("l[2]", /^Move up/);
    await fromMenu("l[0]", "Remove");
    expect(form.text()).toBe('{"l":["c","b"]}');
    await fromMenu("l[0]", "Duplicate");
    expect(form.text()).toBe('{"l":["c","c","b"]}');
  });

  it("does not send an added item that has no value", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ l: { type: "array", items: { type: "integer" } } }, ["l"]));
    await user.click(screen.getByRole("button", { name: "Add item to l" }));
    expect(form.text()).toMatchInlineSnapshot(`"✕ /l/0: There is no value yet: fill it in or remove it."`);
    await user.type(screen.getByLabelText("l[0]"), "7");
    expect(form.text()).toBe('{"l":[7]}');
  });

  it("writes nested objects in the schema's order", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ o: object({ a: { type: "string" }, b: { type: "integer" } }, ["a", "b"]) }, ["o"]));
    await user.type(screen.getByLabelText("b"), "2");
    await user.type(screen.getByLabelText("a"), "x");
    expect(form.text()).toBe('{"o":{"a":"x","b":2}}');
  });

  it("adds, renames and removes keys of a map", async () => {
    const user = userEvent.setup();
    const form = showForm({
      ...object({ env: { type: "object", additionalProperties: { type: "string" } } }, ["env"]),
      additionalProperties: false,
    });
    await user.type(screen.getByLabelText("Name of the new key"), "__proto__{Enter}");
    await user.type(screen.getByLabelText("env.__proto__"), "v");
    expect(form.text()).toBe('{"env":{"__proto__":"v"}}');
    await fromMenu("__proto__", "Rename…");
    await user.clear(screen.getByLabelText("New name of __proto__"));
    await user.type(screen.getByLabelText("New name of __proto__"), "B{Enter}");
    expect(form.text()).toBe('{"env":{"B":"v"}}');
    expect(form.ran).toEqual([]);
    await fromMenu("B", "Remove");
    expect(form.text()).toBe('{"env":{}}');
  });

  it("sets null where null is allowed, and takes it back", async () => {
    const form = showForm(object({ s: { type: ["string", "null"] } }));
    await fromMenu("s", "Send null");
    expect(form.text()).toBe('{"s":null}');
    await fromMenu("s", "Clear");
    expect(form.text()).toBe("{}");
  });

  it("picks a variant and fills it", async () => {
    const user = userEvent.setup();
    const form = showForm(
      object({
        step: {
          oneOf: [
            object({ kind: { const: "click" }, at: { type: "string" } }, ["kind", "at"]),
            object({ kind: { const: "wait" }, ms: { type: "integer" } }, ["kind", "ms"]),
          ],
        },
      }),
    );
    await select("Variant of step", "kind: wait");
    await user.type(screen.getByLabelText("ms"), "250");
    expect(form.text()).toBe('{"step":{"kind":"wait","ms":250}}');
  });

  it("keeps a number a number and a text a text in a union of both", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ id: { type: ["string", "integer"] } }, ["id"]));
    await user.type(screen.getByLabelText("id", { selector: "input" }), "12");
    expect(form.text()).toBe('{"id":"12"}');
    await select("Variant of id", "whole number");
    await user.type(screen.getByLabelText("id", { selector: "input" }), "12");
    expect(form.text()).toBe('{"id":12}');
  });

  it("opens a recursive schema as far as somebody goes", async () => {
    const user = userEvent.setup();
    const form = showForm({
      ...object({ root: { $ref: "#/$defs/node" } }, ["root"]),
      $defs: {
        node: object({ label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } }, ["label"]),
      },
    });
    await user.click(screen.getByRole("button", { name: "Add item to children" }));
    await user.type(screen.getByLabelText("root.label"), "top");
    await user.type(screen.getByLabelText("root.children[0].label"), "kid");
    expect(form.text()).toBe('{"root":{"label":"top","children":[{"label":"kid"}]}}');
  });

  it("takes several lines into a single-line field without losing them", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ s: { type: "string" } }));
    await user.click(screen.getByLabelText("s"));
    await user.paste("one\ntwo");
    await user.keyboard("!");
    expect(form.text()).toBe('{"s":"one\\ntwo!"}');
    await user.keyboard("{Shift>}{Enter}{/Shift}three");
    expect(form.text()).toBe('{"s":"one\\ntwo!\\nthree"}');
  });

  it("masks a secret", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ key: { type: "string", writeOnly: true } }));
    expect(screen.getByLabelText("key")).toHaveAttribute("type", "password");
    await user.type(screen.getByLabelText("key"), "s3cret");
    expect(form.text()).toBe('{"key":"s3cret"}');
  });

  it("reads a file into base64", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ blob: { type: "string", contentEncoding: "base64" } }));
    await user.upload(screen.getByLabelText("File for blob"), new File(["hello"], "a.txt"));
    await waitFor(() => expect(form.text()).toBe('{"blob":"aGVsbG8="}'));
  });

  it("names the file only while it is what is sent, and reads it again when asked", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ blob: { type: "string", contentEncoding: "base64" } }));
    const file = new File(["hello"], "a.txt");
    await user.upload(screen.getByLabelText("File for blob"), file);
    expect(await screen.findByText("a.txt · 5 B")).toBeVisible();
    expect(screen.getByLabelText<HTMLInputElement>("File for blob").value).toBe("");
    await user.type(screen.getByLabelText("blob"), "A");
    expect(screen.queryByText(/a\.txt/)).toBeNull();
    await user.upload(screen.getByLabelText("File for blob"), file);
    await waitFor(() => expect(form.text()).toBe('{"blob":"aGVsbG8="}'));
    expect(await screen.findByText("a.txt · 5 B")).toBeVisible();
  });

  it("brings back what a variant held, until the form starts again", async () => {
    const user = userEvent.setup();
    const variant = (kind: string, own: string) => ({
      type: "object",
      properties: { kind: { const: kind }, name: { type: "string" }, [own]: { type: "string" } },
      required: ["kind"],
    });
    const form = showForm(object({ u: { oneOf: [variant("a", "alpha"), variant("b", "beta")] } }), {
      json: '{"u":{"kind":"a","name":"n","alpha":"long words"}}',
    });
    await select("Variant of u", "kind: b");
    expect(form.text()).toBe('{"u":{"kind":"b","name":"n"}}');
    await user.clear(screen.getByLabelText("u.name"));
    await select("Variant of u", "kind: a");
    expect(form.text()).toBe('{"u":{"kind":"a","alpha":"long words"}}');
    await fromFormMenu("Reset");
    await select("Variant of u", "kind: a");
    expect(form.text()).toBe('{"u":{"kind":"a"}}');
  });

  it("takes any JSON where the schema says nothing", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ any: true }));
    await user.click(screen.getByLabelText("any"));
    await user.paste('{"deep": [1.0, null');
    expect(form.text()).toContain("/any: Line 1");
    await user.paste("]}");
    expect(form.text()).toBe('{"any":{"deep":[1.0,null]}}');
  });
});
