import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef, useState } from "react";
import { describe, expect, it } from "vitest";

import type { ArgumentError } from "../../ipc/bindings";
import type { ToolFormHandle } from "../../lib/pageForm";
import { descriptionOf, textOf } from "../../testing/text";
import { axeDefects, PART } from "../../testing/axe";
import { showForm, toolWith } from "./testing/harness";
import { fromFormMenu, fromMenu } from "./testing/menus";
import { firstDraft, ToolForm } from "./ToolForm";

const SCHEMA = {
  type: "object",
  properties: {
    path: { type: "string", description: "Where the file is." },
    depth: {
      type: "object",
      properties: { inner: { type: "object", properties: { n: { type: "integer", minimum: 1 } } } },
    },
    flag: { type: "boolean", default: false },
  },
  required: ["path"],
};

const missing: ArgumentError = { pointer: "/path", message: "“path” is required.", keyword: "required" };

describe("sending", () => {
  it("runs by Enter in a line, by Ctrl+Enter anywhere, and by the button", async () => {
    const user = userEvent.setup();
    const form = showForm(SCHEMA);
    await user.type(screen.getByLabelText("path"), "a{Enter}");
    await waitFor(() => expect(form.ran).toHaveLength(1));
    screen.getByRole("button", { name: "More actions for the form" }).focus();
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(form.ran).toHaveLength(2));
    await user.click(screen.getByRole("button", { name: /^Run/ }));
    await waitFor(() => expect(form.ran).toEqual(Array(3).fill('{"path":"a"}')));
    expect(form.checked).toHaveLength(3);
  });

  it("shows each error at its field, blocks the call, and follows the typing from then on", async () => {
    const user = userEvent.setup();
    const form = showForm(SCHEMA, { errors: (text) => (text.includes("path") ? [] : [missing]) });
    await user.click(screen.getByRole("button", { name: /^Run/ }));
    expect(textOf(await screen.findByRole("alert"))).toMatchInlineSnapshot(`"1 problem:path"`);
    expect(screen.getByLabelText("path")).toHaveAttribute("aria-invalid", "true");
    expect(descriptionOf(screen.getByLabelText("path"))).toMatchInlineSnapshot(`"Where the file is. “path” is required."`);
    expect(form.ran).toEqual([]);
    await user.type(screen.getByLabelText("path"), "x");
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    expect(form.ran).toEqual([]);
  });

  it("shows what else is wrong beside a mistyped number, and nothing about the place of that", async () => {
    const user = userEvent.setup();
    const errors = (text: string): ArgumentError[] =>
      ["", "/depth", "/depth/inner/n", "/depth/inner/n/x", "/depth/other", "/path"].map((pointer) => ({
        pointer,
        message: `checked ${text}`,
        keyword: "",
      }));
    const form = showForm(SCHEMA, { json: '{"depth":{"inner":{"n":1}}}', errors });
    await user.type(screen.getByLabelText("depth.inner.n"), ",5");
    await form.run();
    const told = () => within(screen.getByRole("alert")).getAllByRole("button").map((one) => one.getAttribute("aria-label"));
    await waitFor(() => expect(told()).toHaveLength(3));
    expect(told()).toMatchInlineSnapshot(`
      [
        "depth.inner.n: Write the number with a point and without separators.",
        "depth.other: checked {"depth":{"inner":{"n":null}}}",
        "path: checked {"depth":{"inner":{"n":null}}}",
      ]
    `);
    expect(form.ran).toEqual([]);
    await user.type(screen.getByLabelText("path"), "x");
    await waitFor(() => expect(told()).toContain('path: checked {"path":"x","depth":{"inner":{"n":null}}}'));
  });

  it("sends what was typed into the focused control, though the control was not left yet", async () => {
    const user = userEvent.setup();
    const options = Array.from({ length: 30 }, (_, index) => `zone/${index}`);
    const form = showForm(
      { type: "object", properties: { tz: { enum: options } }, additionalProperties: { type: "string" } },
      { json: '{"old":"x"}' },
    );
    const search = screen.getByRole("combobox", { name: "tz" });
    await user.type(search, "zone/7");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(form.ran).toHaveLength(1));
    expect(JSON.parse(form.ran[0] ?? "")).toEqual({ tz: "zone/7", old: "x" });
    await waitFor(() => expect(search).toHaveFocus());

    await fromMenu("old", "Rename…");
    await user.clear(screen.getByLabelText("New name of old"));
    await user.type(screen.getByLabelText("New name of old"), "new");
    await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    expect(form.sent.map((text) => JSON.parse(text) as unknown)).toEqual([{ tz: "zone/7", new: "x" }]);
    await waitFor(() => expect(screen.getByRole("tabpanel")).toHaveFocus());
  });

  it("sends anyway what the checker refuses", async () => {
    const user = userEvent.setup();
    const form = showForm(SCHEMA, { errors: () => [missing] });
    await user.click(screen.getByLabelText("path"));
    await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    expect(form.sent).toEqual(["{}"]);
    expect(form.checked).toEqual([]);
  });

  it("jumps from an error to a field inside groups that were closed", async () => {
    const user = userEvent.setup();
    const error = { pointer: "/depth/inner/n", message: "Too small.", keyword: "minimum" };
    showForm(SCHEMA, { errors: () => [error] });
    expect(screen.queryByLabelText("n")).toBeNull();
    await user.click(screen.getByRole("button", { name: /^Run/ }));
    await user.click(await screen.findByRole("button", { name: /depth\.inner\.n: Too small/ }));
    await waitFor(() => expect(screen.getByLabelText("n")).toHaveFocus());
  });

  it("shows what a call was refused for", () => {
    const tool = toolWith(SCHEMA);
    render(
      <ToolForm
        tool={tool}
        draft={firstDraft(tool)}
        onDraft={() => undefined}
        onRun={() => undefined}
        onSendAnyway={() => undefined}
        check={() => Promise.resolve({ errors: [], notes: [] })}
        refused={[missing]}
      />,
    );
    expect(screen.getByRole("alert")).toHaveTextContent("1 problem:path");
    expect(screen.getByLabelText("path")).toHaveAccessibleDescription(/is required/);
  });
});

describe("form and JSON", () => {
  it("change into each other without loss, unfinished text included", async () => {
    const user = userEvent.setup();
    const form = showForm(SCHEMA, { json: '{"n":9007199254740993,"path":"a","x":[1e-9,null,""]}' });
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    const editor = await screen.findByLabelText("Arguments as JSON");
    expect(editor).toHaveTextContent("9007199254740993");
    await user.click(screen.getByRole("tab", { name: "Form" }));
    expect(form.text()).toBe('{"n":9007199254740993,"path":"a","x":[1e-9,null,""]}');
  });

  it("say how the editor of the JSON is left by keys, and what is wrong in it", async () => {
    const user = userEvent.setup();
    showForm(SCHEMA);
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    await screen.findByTestId("json-leave");
    const editor = screen.getByLabelText("Arguments as JSON");
    expect(descriptionOf(editor)).toMatchInlineSnapshot(`"Esc, then Tab, leaves the editor."`);
    expect(editor).toHaveAttribute("aria-invalid", "false");
    await user.click(editor);
    await user.paste("[1");
    await waitFor(() => expect(editor).toHaveAttribute("aria-invalid", "true"));
    expect(descriptionOf(editor)).toMatchInlineSnapshot(`"Line 1, column 3: A comma or ] is needed here. Esc, then Tab, leaves the editor."`);
    // `fireEvent` returns true if the editor did not handle the key.
    expect(fireEvent.keyDown(editor, { key: "Tab", keyCode: 9 })).toBe(false);
    fireEvent.keyDown(editor, { key: "Escape", keyCode: 27 });
    expect(fireEvent.keyDown(editor, { key: "Tab", keyCode: 9 })).toBe(true);
  });

  it("keep one node as JSON until somebody goes back", async () => {
    const user = userEvent.setup();
    const form = showForm(SCHEMA);
    await fromMenu("path", "Edit as JSON");
    await user.click(screen.getByLabelText("path as JSON"));
    await user.paste("[1");
    expect(form.text()).toContain("/path: Line 1");
    await user.click(screen.getByRole("button", { name: "Actions for path" }));
    expect(await screen.findByRole("menuitem", { name: /^Edit as field/ })).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{Escape}");
    await user.click(screen.getByLabelText("path as JSON"));
    await user.paste(", 2]");
    expect(form.text()).toBe('{"path":[1,2]}');
    expect(textOf(screen.getByTestId("json-reason"))).toMatchInlineSnapshot(`"Shown as JSON: it holds a list that its field can't show."`);
  });

  it("show arguments that are no object as JSON", () => {
    showForm(SCHEMA, { json: "[1, 2" });
    expect(screen.getByText(/Edit them as JSON/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Show the form" })).toBeDisabled();
  });

  it("fill defaults and start again on request", async () => {
    const user = userEvent.setup();
    const form = showForm(SCHEMA);
    await user.type(screen.getByLabelText("path"), "a");
    await fromFormMenu("Fill defaults");
    expect(form.text()).toBe('{"path":"a","flag":false}');
    await fromFormMenu("Reset");
    expect(form.text()).toBe("{}");
  });

  it("can be changed from outside", async () => {
    const handle = createRef<ToolFormHandle>();
    const tool = toolWith(SCHEMA);
    const ran: string[] = [];
    function Page() {
      const [draft, setDraft] = useState(firstDraft(tool));
      return (
        <ToolForm
          ref={handle}
          tool={tool}
          draft={draft}
          onDraft={setDraft}
          onRun={(text) => ran.push(text)}
          onSendAnyway={(text) => ran.push(text)}
          check={() => Promise.resolve({ errors: [], notes: [] })}
        />
      );
    }
    render(<Page />);
    handle.current?.sendAnyway();
    expect(ran).toEqual(["{}"]);
    screen.getByLabelText("path").focus();
    act(() => handle.current?.toggleJson());
    await waitFor(() => expect(screen.getByRole("tabpanel")).toHaveFocus());
  });
});

describe("many optional fields", () => {
  it("have a filter, and those with a value are never behind a button", () => {
    const properties = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, { type: "string" }]));
    showForm({ type: "object", properties }, { json: '{"f199":"here"}' });
    expect(screen.getByLabelText("f199")).toHaveValue("here");
    expect(screen.queryByLabelText("f150")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: /^Optional/ }));
    fireEvent.change(screen.getByLabelText("Filter optional fields"), { target: { value: "f150" } });
    expect(screen.getByLabelText("f150")).toBeVisible();
  });
});

describe("accessibility", () => {
  it("has nothing that axe complains of", async () => {
    const { container } = showForm(
      {
        type: "object",
        properties: {
          s: { type: "string", description: "d" },
          n: { type: ["integer", "null"] },
          b: { type: "boolean" },
          e: { enum: ["a", "b"] },
          m: { enum: Array.from({ length: 30 }, (_, index) => `option ${index}`) },
          k: { const: 1 },
          o: { type: "object", properties: { x: { type: "string" } } },
          l: { type: "array", items: { type: "string" } },
          t: { type: "array", items: { enum: ["p", "q"] } },
          u: { oneOf: [{ type: "string" }, { type: "object", properties: { y: { type: "integer" } } }] },
          a: true,
        },
        required: ["o", "s"],
      },
      { json: '{"l":["x",""],"u":{"y":1},"e":"a"}' },
    );
    expect(await axeDefects(container, PART)).toEqual([]);
  });
});
