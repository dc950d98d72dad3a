import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { textOf } from "../../testing/text";

import { axeDefects, PART } from "../../testing/axe";
import { showForm } from "./testing/harness";
import { fromFormMenu, fromMenu, select, valuesOf } from "./testing/menus";

const once = (key: string) => `Add ${key} once more`;
const object = (properties: Record<string, unknown>, required: string[] = []) => ({ type: "object", properties, required });
const strings = { type: "array", items: { type: "string" } };

describe("items of a list", () => {
  it("move by Alt and an arrow from inside of them, and the focus goes along", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ l: strings }), { json: '{"l":["a","b","c"]}' });
    await user.click(screen.getByLabelText("l[2]"));
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(form.text()).toBe('{"l":["a","c","b"]}');
    await waitFor(() => expect(screen.getByLabelText("l[1]")).toHaveFocus());
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    await waitFor(() => expect(screen.getByLabelText("l[0]")).toHaveFocus());
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(form.text()).toBe('{"l":["c","a","b"]}');
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(form.text()).toBe('{"l":["a","c","b"]}');
  });

  it("are duplicated with all that is in them", async () => {
    const form = showForm(object({ l: { type: "array", items: object({ a: strings }) } }), { json: '{"l":[{"a":["x"]}]}' });
    await fromMenu("l[0]", "Duplicate");
    expect(form.text()).toBe('{"l":[{"a":["x"]},{"a":["x"]}]}');
  });

  it("have no value until one is typed, and can be said to be empty", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ l: strings }));
    await user.click(screen.getByRole("button", { name: "Add item to l" }));
    expect(form.text()).toMatchInlineSnapshot(`"✕ /l/0: There is no value yet: fill it in or remove it."`);
    await fromMenu("l[0]", /^Send empty/);
    expect(form.text()).toBe('{"l":[""]}');
  });

  it("of some values are put in twice where they are ticked", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ l: { type: "array", items: { enum: ["a", "b"] } }, u: { type: "array", items: { enum: ["c", "d"] }, uniqueItems: true } }));
    screen.getByRole("checkbox", { name: "b" }).focus();
    await user.keyboard(" ");
    expect(screen.getByRole("checkbox", { name: "b" })).toHaveFocus();
    await user.click(screen.getByRole("button", { name: once("b") }));
    await user.click(screen.getByRole("checkbox", { name: "a" }));
    expect(form.text()).toBe('{"l":["b","b","a"]}');
    expect(screen.getByRole("checkbox", { name: /^b ?×2$/ })).toBeChecked();
    await user.click(screen.getByRole("button", { name: once("b") }));
    expect(form.text()).toBe('{"l":["b","b","a","b"]}');
    await user.click(screen.getByRole("button", { name: "Take b out once" }));
    expect(form.text()).toBe('{"l":["b","b","a"]}');
    await user.click(screen.getByRole("checkbox", { name: /^b ?×2$/ }));
    expect(form.text()).toBe('{"l":["a"]}');
    await user.click(screen.getByRole("checkbox", { name: "c" }));
    expect(screen.queryByRole("button", { name: once("c") })).toBeNull();
  });

  it("of some values are put in twice as a list", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ l: { type: "array", items: { enum: ["a", "b"] } } }));
    await user.click(screen.getByRole("button", { name: "Show l as a list of items" }));
    for (const index of [0, 1]) {
      await user.click(screen.getByRole("button", { name: "Add item to l" }));
      await select(`l[${index}]`, "b");
    }
    expect(form.text()).toBe('{"l":["b","b"]}');
  });
});

describe("a secret that is shown", () => {
  const secrets = { type: "array", items: { type: "string", format: "password" } };
  const types = () => screen.getAllByLabelText(/^l\[\d\]$/).map((field) => `${(field as HTMLInputElement).value} ${(field as HTMLInputElement).type}`);

  it("goes with its item: none that takes its place is shown", async () => {
    const user = userEvent.setup();
    showForm(object({ l: secrets }), { json: '{"l":["a","b","c"]}' });
    await user.click(screen.getAllByRole("button", { name: /^Show / })[0]!);
    expect(types()).toEqual(["a text", "b password", "c password"]);
    await fromMenu("l[0]", /^Move down/);
    expect(types()).toEqual(["b password", "a text", "c password"]);
    await fromMenu("l[0]", "Duplicate");
    expect(types()).toEqual(["b password", "b password", "a text", "c password"]);
    await fromMenu("l[2]", "Remove");
    expect(types()).toEqual(["b password", "b password", "c password"]);
  });

  it("stays shown, and its field stays where it is, while one types", async () => {
    const user = userEvent.setup();
    showForm(object({ l: secrets }), { json: '{"l":["a","b"]}' });
    await user.click(screen.getAllByRole("button", { name: /^Show / })[0]!);
    const field = screen.getByLabelText("l[0]");
    await user.type(field, "xy");
    expect(screen.getByLabelText("l[0]")).toBe(field);
    expect(types()).toEqual(["axy text", "b password"]);
  });

  it("goes with its key", async () => {
    const user = userEvent.setup();
    showForm({ type: "object", additionalProperties: { type: "string", format: "password" } }, { json: '{"one":"a","two":"b"}' });
    await user.click(screen.getAllByRole("button", { name: /^Show / })[0]!);
    expect(screen.getByLabelText("one")).toHaveAttribute("type", "text");
    await fromMenu("one", "Remove");
    expect(screen.getByLabelText("two")).toHaveAttribute("type", "password");
  });
});

describe("help with typing a text", () => {
  it("is a picker beside a date, and the text stays as it was typed", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ day: { type: "string", format: "date" }, at: { type: "string", format: "date-time" } }), {
      json: '{"at":"2026-11-20T12:34:56.789+02:00"}',
    });
    expect(form.text()).toBe('{"at":"2026-11-20T12:34:56.789+02:00"}');
    fireEvent.change(screen.getByLabelText("Pick the date for day"), { target: { value: "2026-11-21" } });
    fireEvent.change(screen.getByLabelText("Pick the date and time for at"), { target: { value: "2026-11-21T10:00:00" } });
    expect(JSON.parse(form.text())).toEqual({ day: "2026-11-21", at: "2026-11-21T10:00:00+02:00" });
    await user.clear(screen.getByLabelText("day"));
    await user.type(screen.getByLabelText("day"), "tomorrow");
    expect(JSON.parse(form.text())).toMatchObject({ day: "tomorrow" });
  });

  it("is a button that makes a UUID", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ id: { type: "string", format: "uuid" } }));
    await user.click(screen.getByRole("button", { name: "Generate a UUID for id" }));
    expect(form.text()).toMatch(/^\{"id":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"\}$/);
  });

  it("is the system's dialog for a path, where there is one", async () => {
    const user = userEvent.setup();
    const asked: unknown[] = [];
    const answers = ["/home/me/notes.md", null, "/home/me"];
    const form = showForm(object({ file_path: { type: "string" }, workdir: { type: "string", format: "directory-path" } }), {
      pickPath: (wanted) => {
        asked.push(wanted);
        return Promise.resolve(answers.shift() ?? null);
      },
    });
    await user.click(screen.getByRole("button", { name: "Browse for a file for file_path" }));
    await waitFor(() => expect(form.text()).toBe('{"file_path":"/home/me/notes.md"}'));
    await user.click(screen.getByRole("button", { name: "Browse for a file for file_path" }));
    await user.click(screen.getByRole("button", { name: "Browse for a folder for workdir" }));
    await waitFor(() => expect(form.text()).toBe('{"file_path":"/home/me/notes.md","workdir":"/home/me"}'));
    expect(asked).toEqual([{ kind: "file" }, { kind: "file" }, { kind: "folder" }]);
    form.unmount();
    showForm(object({ file_path: { type: "string" } }));
    expect(screen.queryByRole("button", { name: /Browse/ })).toBeNull();
  });

  it("is a large field for what is most often long, where Enter makes a line", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ content: { type: "string" } }));
    await user.type(screen.getByLabelText("content"), "a{Enter}b");
    expect(form.text()).toBe('{"content":"a\\nb"}');
    expect(form.checked).toEqual([]);
  });

  it("are the schema's examples, each a click away", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ n: { type: "integer", examples: [7, 42] }, o: { type: "object", examples: [{ a: 1 }] } }));
    await user.click(screen.getByRole("button", { name: "Set n to the example 42" }));
    await user.click(screen.getByRole("button", { name: 'Set o to the example {"a":1}' }));
    expect(form.text()).toBe('{"n":42,"o":{"a":1}}');
  });

  it("says how many bytes base64 text stands for", async () => {
    const user = userEvent.setup();
    showForm(object({ blob: { type: "string", contentEncoding: "base64" } }));
    await user.type(screen.getByLabelText("blob"), "aGVsbG8=");
    expect(screen.getByText("5 B")).toBeVisible();
    await user.type(screen.getByLabelText("blob"), "?");
    expect(screen.getByText("not base64")).toBeVisible();
  });
});

describe("a place that takes anything", () => {
  it("is filled by the fields of a kind", async () => {
    const user = userEvent.setup();
    const form = showForm(object({ any: {} }));
    await select("Kind of any", "text");
    await user.type(screen.getByLabelText("any"), "12");
    expect(form.text()).toBe('{"any":"12"}');
    await select("Kind of any", "JSON");
    expect(screen.getByLabelText("any")).toHaveValue('"12"');
    await select("Kind of any", "list");
    await waitFor(() => expect(screen.getByLabelText("Kind of any")).toHaveFocus());
    await user.click(screen.getByRole("button", { name: "Add item to any" }));
    await select("Kind of [0]", "number");
    await user.type(screen.getByLabelText("any[0]"), "9007199254740993");
    expect(form.text()).toBe('{"any":[9007199254740993]}');
  });
});

describe("a name that was typed and not added", () => {
  it("is added when it is left, and asks for its value before anything is sent", async () => {
    const user = userEvent.setup();
    const form = showForm({ type: "object", additionalProperties: { type: "string" } });
    await user.type(screen.getByLabelText("Name of the new key"), "token");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(textOf(screen.getByRole("alert"))).toMatchInlineSnapshot(`"1 problem:token"`);
    expect(form.ran).toEqual([]);
    await user.type(screen.getByLabelText("token"), "x{Enter}");
    await waitFor(() => expect(form.ran).toEqual(['{"token":"x"}']));
  });
});

describe("what will be sent", () => {
  it("is shown with its size as it changes, with secrets masked, and what keeps it from being sent", async () => {
    const user = userEvent.setup();
    showForm(object({ s: { type: "string" }, n: { type: "integer" }, key: { type: "string", format: "password" } }));
    await user.click(screen.getByRole("button", { name: "Preview request" }));
    const preview = screen.getByRole("region", { name: "Request preview" });
    expect(textOf(preview)).toMatchInlineSnapshot(`"Arguments · 2 B{}"`);
    await user.type(screen.getByLabelText("s"), "ü");
    await user.type(screen.getByLabelText("key"), "hidden");
    await waitFor(() => expect(screen.getByLabelText("Arguments to send").textContent).toBe('{\n  "s": "ü",\n  "key": "•••"\n}'));
    expect(preview).toHaveTextContent("25 B");
    await user.type(screen.getByLabelText("n"), "1.");
    expect(textOf(await within(preview).findByTestId("send-blocked"))).toMatchInlineSnapshot(`"n: A digit is needed after the point."`);
  });
});

describe("JSON from elsewhere", () => {
  const schema = object({ a: { type: "string" }, b: { type: "integer" } });

  it("is taken in beside what is there, or in its place, and says before what it does", async () => {
    const user = userEvent.setup();
    const form = showForm(schema, { json: '{"a":"old","b":1}' });
    screen.getByRole("tab", { name: "Form" }).focus();
    await user.paste('{"b": 9007199254740993, "c": null}');
    expect(textOf(screen.getByRole("status"))).toMatchInlineSnapshot(`"It sets c, changes b, does not contain a."`);
    await user.click(screen.getByRole("button", { name: "Merge into the form" }));
    expect(form.text()).toBe('{"a":"old","b":9007199254740993,"c":null}');
    await fromFormMenu("Paste JSON…");
    await user.paste('{"a":"new"}');
    await user.click(screen.getByRole("button", { name: "Replace the form" }));
    expect(form.text()).toBe('{"a":"new"}');
  });

  it("that is no object is refused in words, and nothing changes", async () => {
    const user = userEvent.setup();
    const form = showForm(schema, { json: '{"a":"old"}' });
    await fromFormMenu("Paste JSON…");
    await user.paste("[1]");
    expect(textOf(screen.getByRole("status"))).toMatchInlineSnapshot(`"Arguments are one object, in braces."`);
    expect(screen.getByRole("button", { name: "Merge into the form" })).toBeDisabled();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("region", { name: "Paste JSON" })).toBeNull();
    expect(form.text()).toBe('{"a":"old"}');
  });

  it("pasted into a field is the field's", async () => {
    const user = userEvent.setup();
    const form = showForm(schema);
    await user.click(screen.getByLabelText("a"));
    await user.paste('{"b":1}');
    expect(JSON.parse(form.text())).toEqual({ a: '{"b":1}' });
  });
});

describe("an error inside of a place that has no fields", () => {
  it("is told at that place", async () => {
    const form = showForm(object({ any: {} }), {
      json: '{"any":{"x":[1]}}',
      errors: () => [{ pointer: "/any/x/0", message: "must be a text", keyword: "type" }],
    });
    await form.run();
    expect(screen.getByLabelText("any")).toHaveAccessibleDescription(/must be a text/);
  });
});

describe("all the help beside the fields", () => {
  it("has nothing that axe complains of", async () => {
    const { container } = showForm(
      object({
        day: { type: "string", format: "date" },
        id: { type: "string", format: "uuid" },
        file_path: { type: "string" },
        blob: { type: "string", contentEncoding: "base64" },
        n: { type: "integer", examples: [7] },
        any: {},
        l: strings,
        t: { type: "array", items: { enum: ["a", "b"] } },
      }),
      { json: '{"l":["x"],"any":[1]}', pickPath: () => Promise.resolve(null) },
    );
    await fromFormMenu("Paste JSON…");
    fireEvent.click(screen.getByRole("button", { name: "Preview request" }));
    expect(await axeDefects(container, PART)).toEqual([]);
  });
});

describe("a text by its name", () => {
  it("is long where it is a program, and short where it has a pattern", () => {
    const properties = { script: { type: "string" }, code: { type: "string", pattern: "^[A-Z]{2}-[0-9]{4}$" } };
    showForm({ type: "object", properties });
    expect(screen.getByLabelText("script").tagName).toBe("TEXTAREA");
    expect(screen.getByLabelText("code").tagName).toBe("INPUT");
  });
});

describe("the name of a field", () => {
  it("goes on in another line where it is long, and is never cut", () => {
    const name = "a_name_that_is_longer_than_its_column";
    const { container } = showForm(object({ [name]: { type: "string" }, [`${name}_yes`]: { type: "boolean" }, [`${name}_all`]: strings }));
    const names = [...container.querySelectorAll("label, legend span, [data-place] span, [aria-expanded]")].filter((one) =>
      [...one.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.textContent?.startsWith(name) === true),
    );
    expect(names).toHaveLength(3);
    for (const one of names) {
      expect(one).toHaveClass("wrap-anywhere");
      expect(one).not.toHaveClass("truncate");
    }
  });
});

describe("options of different types", () => {
  it("are told apart in a list and in segments", async () => {
    const options = ["1", 1, null, "null", "a", "a ", true, "true"];
    const titled = [{ const: 1, title: "One" }, { const: "1", title: "One" }, { const: 2, title: "Two" }];
    showForm(object({ e: { enum: options }, t: { oneOf: titled } }));
    expect(await valuesOf("e")).toEqual(["Not set", '"1"', "1", "null", '"null"', '"a"', '"a "', "true", '"true"']);
    expect(await valuesOf("t")).toEqual(["Not set", "One (1)", 'One ("1")', "Two"]);
  });

  it("are told apart in the list of a union", async () => {
    const branch = (kind: unknown, title?: string) => ({ ...object({ kind: { const: kind }, n: { type: "integer" } }, ["kind"]), ...(title && { title }) });
    showForm(
      object({
        u: { anyOf: [branch(1), branch("1"), branch("x")] },
        c: { anyOf: [{ enum: [1, 2] }, { enum: ["1", "2"] }, object({ a: strings })] },
        s: { anyOf: [branch("a"), branch("a ")] },
      }),
    );
    expect(await valuesOf("Variant of u")).toEqual(["kind: 1", 'kind: "1"', "kind: x"]);
    expect(await valuesOf("Variant of c")).toEqual(["1, 2", '"1", "2"', "with a"]);
    expect(await valuesOf("Variant of s")).toEqual(['kind: "a"', 'kind: "a "']);
  });

  it("are told apart from the entry for no value", async () => {
    const long = Array.from({ length: 6 }, (_, index) => `option ${index}`);
    showForm(object({ e: { enum: ["Not set", "set"] }, d: { enum: ["a", "a (default)", ...long], default: "a" } }));
    expect(await valuesOf("e")).toEqual(["Not set", '"Not set"', "set"]);
    expect(await valuesOf("d")).toEqual(["a (default)", "a", '"a (default)"', ...long]);
  });

  it("are told apart among examples and the default", async () => {
    const either = { anyOf: [{ type: "integer" }, { type: "string" }] };
    const { container } = showForm(object({ a: { ...either, default: "1", examples: [1, "1", "x"] }, b: { ...either, default: 2, examples: [2, 3] } }));
    const hints = (name: string) => container.querySelector(`[data-place="/${name}"]`);
    expect(screen.getAllByRole("button", { name: /^Set a to the example/ }).map((one) => one.textContent)).toEqual(["1", '"1"', "x"]);
    expect(hints("a")).toHaveTextContent('"1" (default)');
    expect(hints("b")).toHaveTextContent("2 (default)");
    await fromMenu("a", 'Use default ("1")');
  });

  it("that look the same are found in a list that is searched", async () => {
    const user = userEvent.setup();
    const options = [...Array.from({ length: 30 }, (_, index) => index), "7"];
    const form = showForm(object({ e: { enum: options } }));
    await user.type(screen.getByRole("combobox", { name: "e" }), '"7"{Enter}');
    expect(form.text()).toBe('{"e":"7"}');
  });
});
