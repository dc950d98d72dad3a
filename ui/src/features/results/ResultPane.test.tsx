import { EditorView } from "@codemirror/view";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { CallEnd, CallOutcome, Code } from "../../ipc/bindings";
import { textOf } from "../../testing/text";
import { byteSteps } from "./content";
import { finish } from "./json/steps";
import { ResultPane } from "./ResultPane";
import { axeDefects, PART } from "../../testing/axe";
import { type Save, SaveContext } from "./SaveButton";

afterEach(cleanup);

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function ended(end: CallEnd): CallOutcome {
  return { call: "c1", member: "forge", tool: "smith", startedAtMs: 0, durationMs: 84, request: null, structured: null, end };
}

const answered = (result: unknown, isError = false) =>
  ended({ kind: "result", result: typeof result === "string" ? result : JSON.stringify(result), isError });

const failed = (code: Code, more: Partial<Extract<CallEnd, { kind: "failed" }>> = {}) =>
  ended({
    kind: "failed",
    report: { code, message: "It went wrong.", hint: "Try again.", member: "forge" },
    rpc: null,
    arguments: [],
    stderr: [],
    ...more,
  });

interface Ways {
  onRestart?: () => void;
  onRetry?: (ms: number) => void;
}

function show(outcome: CallOutcome, ways: Ways = {}) {
  return render(<ResultPane outcome={outcome} running={null} onCancel={() => undefined} {...ways} />);
}

/** Finds the read-only editor, which is loaded for JSON and long text. */
const viewer = (name: string) => screen.findByRole("textbox", { name });
const linesOf = (shown: HTMLElement) => [...shown.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n");

const text = (...texts: string[]) => ({ content: texts.map((one) => ({ type: "text", text: one })) });

describe("the ends of a call (REQ-MCP-HTTP-29)", () => {
  it("ok: the word, the time, the size", () => {
    show(answered(text("done")));
    expect(screen.getByRole("status")).toHaveTextContent(/Done 84 ms · 43 B/);
    expect(screen.getByLabelText("text", { selector: "pre" })).toHaveTextContent("done");
  });
  it("the tool's own error: its content is shown", () => {
    show(answered(text("no such file"), true));
    expect(screen.getByRole("alert")).toHaveTextContent("Tool error");
    expect(screen.getByText("no such file")).toBeVisible();
  });
  it("a protocol error: code, message, data", () => {
    show(failed("rpc-error", { rpc: { code: -32602, message: "bad params", data: '{"n":9007199254740993}' } }));
    expect(screen.getByRole("alert")).toHaveTextContent("Server error");
    expect(screen.getByText("-32602")).toBeVisible();
    expect(screen.getByText("bad params")).toBeVisible();
    expect(screen.getByText(/9007199254740993/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Restart" })).toBeNull();
  });
  it("a process that ended: last lines of stderr without colours, and a restart", async () => {
    const onRestart = vi.fn();
    const stderr = [{ seq: 1, start: 1, atMs: 0, text: "\u001b[31mpanic\u001b[0m" }];
    show(failed("call-interrupted", { stderr }), { onRestart });
    expect(screen.getByRole("alert")).toHaveTextContent("Process ended");
    expect(screen.getByText("panic")).toBeVisible();
    await userEvent.setup().click(screen.getByRole("button", { name: "Restart" }));
    expect(onRestart).toHaveBeenCalledOnce();
  });
  it("a time limit: neutral, with a longer one to try", async () => {
    const onRetry = vi.fn();
    show({ ...failed("call-timeout"), durationMs: 40_000 }, { onRetry });
    expect(screen.getByRole("alert")).toHaveTextContent("Timed out");
    await userEvent.setup().click(screen.getByRole("button", { name: "Retry with 1 min 20 s" }));
    expect(onRetry).toHaveBeenCalledWith(80_000);
  });
  it("a cancel: neutral", () => {
    show(failed("call-cancelled"));
    expect(screen.getByRole("status")).toHaveTextContent("Cancelled");
  });
  it("arguments that were refused: each error at its place", () => {
    const error = { pointer: "/edits/0/oldText", message: "is missing", keyword: "required" };
    show(failed("arguments-invalid", { arguments: [error] }));
    expect(screen.getByRole("alert")).toHaveTextContent("Not sent");
    expect(screen.getByText("edits[0].oldText")).toBeVisible();
  });
});

describe("content", () => {
  it("shows JSON digit for digit, also as sent", async () => {
    show(answered(text('{"a":9007199254740993,"a":[1.0]}')));
    expect(linesOf(await viewer("text as a tree"))).toBe('{\n  "a": 9007199254740993,\n  "a": [\n    1.0\n  ]\n}');
    await userEvent.setup().click(screen.getByRole("radio", { name: "Text" }));
    expect(screen.getByLabelText("text as sent").textContent).toBe('{"a":9007199254740993,"a":[1.0]}');
  });
  it("keeps white space, shows long text in the viewer", async () => {
    const long = `  a\n\tb\n${"x".repeat(10_000)}`;
    show(answered(text(long)));
    expect((await viewer("text")).textContent).toMatch(/^ {2}a\tbx+/);
    expect(screen.getByText("3 lines, 10,007 characters")).toBeVisible();
  });
  it("shows characters that can't be seen", async () => {
    show(answered({ structuredContent: { a: "x\u202ey\u200bz\u{e0041}" } }));
    const shown = await viewer("structured content as a tree");
    expect(shown.querySelectorAll(".cm-specialChar")).toHaveLength(3);
  });
  it("markup is text", () => {
    const { container } = show(answered(text('<img src=x onerror="window.__xss=1"><script>1</script>')));
    expect(container.querySelectorAll("img, script")).toHaveLength(0);
    expect(container).toHaveTextContent("<img src=x onerror");
  });
  it("a harmless image is drawn, any other is a file", () => {
    const { container } = show(
      answered({
        content: [
          { type: "image", mimeType: "image/png", data: PIXEL },
          { type: "image", mimeType: "image/svg+xml", data: "PHN2Zz48L3N2Zz4=" },
          { type: "image", mimeType: "text/html", data: "PGI+" },
          { type: "image", mimeType: "image/png", data: 'x" onerror="1' },
        ],
      }),
    );
    expect([...container.querySelectorAll("img")].map((one) => one.getAttribute("src"))).toEqual([
      `data:image/png;base64,${PIXEL}`,
    ]);
    expect(screen.getAllByLabelText("file")).toHaveLength(2);
    expect(screen.getAllByTestId("part-why").map(textOf)).toMatchInlineSnapshot(`
      [
        "image/svg+xml is not shown here.",
        "text/html is not shown here.",
      ]
    `);
    expect(screen.getByLabelText("content image whose data is not base64", { selector: "[role=group]" })).toBeVisible();
  });
  it("sounds, links and resources; nothing is fetched, nothing is a link to click", () => {
    const { container } = show(
      answered({
        content: [
          { type: "audio", mimeType: "audio/wav", data: "UklGRg==" },
          { type: "resource_link", uri: "javascript:alert(1)", name: "evil", description: "<b>x</b>" },
          { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "inside" } },
          { type: "resource", resource: { uri: "file:///a.bin", blob: "AAAA" } },
          { type: "hologram", depth: 3 },
          "not even an object",
        ],
      }),
    );
    expect(container.querySelector("audio")).toHaveAttribute("src", "data:audio/wav;base64,UklGRg==");
    expect(container.querySelectorAll("a, iframe, object, embed, [href]")).toHaveLength(0);
    expect(screen.getByText("javascript:alert(1)").tagName).toBe("CODE");
    expect(screen.getByText("inside")).toBeVisible();
    expect(screen.getByText(/application\/octet-stream · 3 B/)).toBeVisible();
    expect(screen.getByText(/"depth": 3/)).toBeVisible();
    expect(screen.getByText(/not even an object/)).toBeVisible();
  });
  it("a sound that can't be played says so", () => {
    show(answered({ content: [{ type: "audio", mimeType: "audio/wav", data: "AAAA" }] }));
    fireEvent.error(screen.getByLabelText("sent by the tool"));
    expect(screen.getByText(/audio can't be played/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /Download/ })).toBeNull();
  });
  it("structured content folds and gives paths", async () => {
    const user = userEvent.setup();
    show(answered({ content: [], structuredContent: { list: [1, { "de/ep": "v" }], __proto__x: null } }));
    const tree = await viewer("structured content as a tree");
    const editor = EditorView.findFromDOM(tree)!;
    act(() => editor.dispatch({ selection: { anchor: editor.state.doc.toString().indexOf('"v"') + 1 } }));
    expect(screen.getByTestId("json-place")).toHaveTextContent("/list/1/de~1ep");
    await user.click(screen.getByRole("button", { name: "Copy path" }));
    expect(await navigator.clipboard.readText()).toBe("/list/1/de~1ep");
    await user.click(screen.getByRole("button", { name: "Copy value" }));
    expect(await navigator.clipboard.readText()).toBe("v");
    act(() => editor.dispatch({ selection: { anchor: editor.state.doc.toString().indexOf("[") } }));
    await user.click(screen.getByRole("button", { name: "Copy value" }));
    expect(await navigator.clipboard.readText()).toBe('[\n  1,\n  {\n    "de/ep": "v"\n  }\n]');
    await user.click(screen.getByRole("button", { name: "Collapse all" }));
    expect(tree).not.toHaveTextContent('"v"');
    await user.click(screen.getByRole("button", { name: "Expand all" }));
    expect(tree).toHaveTextContent('"v"');
  });
  it("a long list has few lines on the page", async () => {
    show(answered({ structuredContent: Array.from({ length: 50_000 }, (_, index) => index) }));
    const tree = await viewer("structured content as a tree");
    expect(tree.querySelectorAll(".cm-line").length).toBeLessThan(200);
  });
  it("what is no result at all is still shown, raw", () => {
    show(answered("{broken"));
    expect(document.querySelector("svg.text-warn, .text-warn svg")).not.toBeNull();
    expect(screen.getByText("{broken")).toBeVisible();
  });
  it("an empty answer says so", () => {
    show(answered({ content: [] }));
    expect(textOf(screen.getByTestId("result-nothing"))).toMatchInlineSnapshot(`"Empty result"`);
  });
  it("Raw is what the server sent, to the letter", async () => {
    const raw = '{ "content":[], "_meta":{"z":1.0,"a":1e400} }';
    show(answered(raw));
    await userEvent.setup().click(screen.getByRole("tab", { name: "Raw" }));
    expect((await viewer("raw result")).textContent).toBe(raw);
  });
});

describe("text that repeats the structured content", () => {
  const groups = () => screen.getAllByRole("group").map((group) => group.getAttribute("aria-label"));
  it("as JSON is one card with it", () => {
    show(answered({ content: [{ type: "text", text: '{ "b": [1], "a": 1 }' }], structuredContent: { a: 1, b: [1] } }));
    expect(groups()).toEqual(["structured content"]);
  });
  it("as the list in it is one card with it", () => {
    show(answered({ content: [{ type: "text", text: "[1,2]" }], structuredContent: { result: [1, 2] } }));
    expect(groups()).toEqual(["structured content"]);
  });
  it("as one of its strings comes first, the rest is closed", async () => {
    show(answered({ content: [{ type: "text", text: "words" }], structuredContent: { content: "words" } }));
    expect(groups()).toEqual(["text", "structured content"]);
    const toggle = screen.getByRole("button", { name: /Structured.*Same as text/ });
    expect(toggle).toHaveAttribute("aria-expanded", "false");
    await userEvent.setup().click(toggle);
    expect(await viewer("structured content as a tree")).toBeVisible();
  });
  it("with other digits is a card of its own", () => {
    show(answered({ content: [{ type: "text", text: '{"a":9007199254740992}' }], structuredContent: { a: 1 } }));
    expect(groups()).toEqual(["structured content", "text"]);
  });
});

describe("structured content against its schema", () => {
  const result = { content: [], structuredContent: { rows: [{ id: 1, name: "a" }, { id: "2", name: "b" }] } };
  const checked = (outcome: CallOutcome, errors: { pointer: string; message: string; keyword: string }[]): CallOutcome => ({
    ...outcome,
    structured: { errors, notes: [] },
  });
  it("fits", () => {
    show(checked(answered(result), []));
    expect(textOf(screen.getByTestId("schema-fits"))).toMatchInlineSnapshot(`"Matches schema"`);
  });
  it("does not fit: how often, where, and the place itself in the tree", async () => {
    show(checked(answered(result), [{ pointer: "/rows/1/id", message: "is no number", keyword: "type" }]));
    expect(textOf(screen.getByTestId("schema-misfits"))).toMatchInlineSnapshot(`"1 schema error"`);
    const list = within(screen.getByRole("list", { name: "Schema errors" }));
    await userEvent.setup().click(list.getByRole("button", { name: "rows[1].id" }));
    const { state } = EditorView.findFromDOM(await viewer("structured content as a tree"))!;
    expect(state.sliceDoc(state.selection.main.from, state.selection.main.to)).toBe('"2"');
    expect(document.querySelector(".cm-lintRange-warning")).toHaveTextContent('"2"');
  });
  it("that is missing is said to be", () => {
    show(checked(answered({ content: [] }), [{ pointer: "", message: "structuredContent is missing", keyword: "required" }]));
    expect(textOf(screen.getByTestId("schema-misfit"))).toMatchInlineSnapshot(`"Schema error: structuredContent is missing"`);
  });
  it("is nothing that anybody checks where there is no schema", () => {
    show(answered(result));
    expect(screen.queryByText(/schema/i)).toBeNull();
  });
  it("is a table where it is rows: by keys, sorted, each cell whole below", async () => {
    const user = userEvent.setup();
    show(answered(result));
    const grid = within(screen.getByRole("grid", { name: /as a table/ }));
    expect(grid.getAllByRole("columnheader").map((head) => head.textContent.trim())).toEqual(["id", "name"]);
    screen.getByRole("grid").focus();
    await user.keyboard("{ArrowRight}{ArrowDown}");
    const active = () => document.getElementById(screen.getByRole("grid").getAttribute("aria-activedescendant") ?? "");
    expect(active()).toHaveTextContent("b");
    expect(within(screen.getByRole("region", { name: "cell" })).getByText("/rows/1/name")).toBeVisible();
    await user.keyboard("ss");
    expect(grid.getByRole("columnheader", { name: /name/ })).toHaveAttribute("aria-sort", "descending");
    await user.click(screen.getByRole("button", { name: "Copy CSV" }));
    expect(await navigator.clipboard.readText()).toBe("id,name\r\n2,b\r\n1,a");
  });
  it("stays at its beginning with a table in it, which scrolls to a cell that somebody goes to", async () => {
    const user = userEvent.setup();
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    show(answered(result));
    const grid = screen.getByRole("grid", { name: /as a table/ });
    expect(scrolled).not.toHaveBeenCalled();
    grid.focus();
    await user.keyboard("{ArrowDown}");
    expect(scrolled.mock.contexts).toEqual([within(grid).getByRole("gridcell", { name: "2" })]);
  });
});

describe("what is remembered, saved and told of parts", () => {
  it("Markdown is rendered, and plain once a person chose that", async () => {
    const user = userEvent.setup();
    const { unmount, container } = show(answered(text("# Title\n\n**bold**")));
    expect(await screen.findByRole("heading", { name: "Title" })).toBeVisible();
    expect(container.querySelector("strong")).toHaveTextContent("bold");
    await user.click(screen.getByRole("radio", { name: "Plain" }));
    expect(screen.getByText(/\*\*bold/)).toBeVisible();
    unmount();
    show(answered(text("# Other")));
    expect(screen.getByText("# Other")).toBeVisible();
  });
  it("a view is changed by arrow keys", async () => {
    const user = userEvent.setup();
    show(answered(text('{"a":1}')));
    screen.getByRole("radio", { name: "Tree" }).focus();
    await user.keyboard("{ArrowRight}");
    await waitFor(() => expect(screen.getByRole("radio", { name: "Text" })).toHaveFocus());
    await user.keyboard("{Enter}");
    expect(screen.getByLabelText("text as sent")).toBeVisible();
  });
  it("annotations of a part stand below it", () => {
    const annotations = { audience: ["user"], priority: 0.25, lastModified: "2026-01-12T15:00:58Z" };
    show(answered({ content: [{ type: "text", text: "x", annotations }] }));
    expect(screen.getByText("Reported by the server: for user · priority 0.25 · last modified 2026-01-12T15:00:58Z")).toBeVisible();
  });
  it("files are saved by name and content, and said to be", async () => {
    const user = userEvent.setup();
    const save = vi.fn<Save>().mockResolvedValueOnce("/tmp/smith.png").mockRejectedValueOnce(new Error("The disk is full."));
    const content = [{ type: "image", mimeType: "image/png", data: PIXEL }, { type: "text", text: "words" }];
    render(
      <SaveContext value={save}>
        <ResultPane outcome={answered({ content })} running={null} onCancel={() => undefined} />
      </SaveContext>,
    );
    await user.click(screen.getByRole("button", { name: "Download image" }));
    expect(save).toHaveBeenLastCalledWith({ suggestedName: "forge-smith.png", content: { base64: PIXEL } });
    expect(await screen.findByText("Saved as /tmp/smith.png")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Download text" }));
    expect(save).toHaveBeenLastCalledWith({ suggestedName: "forge-smith-2.txt", content: { text: "words" } });
    expect(await screen.findByText(/Couldn't save: .*The disk is full/)).toBeVisible();
  });
  it("a link to a resource is read by whoever can", async () => {
    const onReadResource = vi.fn();
    const content = [{ type: "resource_link", uri: "file:///a.txt", name: "a" }];
    const { rerender } = render(<ResultPane outcome={answered({ content })} running={null} onCancel={() => undefined} onReadResource={onReadResource} />);
    await userEvent.setup().click(screen.getByRole("button", { name: "Read" }));
    expect(onReadResource).toHaveBeenCalledWith("file:///a.txt");
    rerender(<ResultPane outcome={answered({ content })} running={null} onCancel={() => undefined} />);
    expect(screen.queryByRole("button", { name: "Read" })).toBeNull();
  });
  it("a picture is fitted or in full size", async () => {
    show(answered({ content: [{ type: "image", mimeType: "image/png", data: PIXEL }] }));
    const picture = screen.getByAltText("sent by the tool");
    Object.defineProperties(picture, { naturalWidth: { value: 640 }, naturalHeight: { value: 480 } });
    fireEvent.load(picture);
    expect(screen.getByText(/640 × 480 px · 70 B/)).toBeVisible();
    await userEvent.setup().click(screen.getByRole("button", { name: "Actual size" }));
    expect(picture).toHaveClass("max-w-none");
  });
});

describe("raw", () => {
  const request = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"n":1.0}}';
  it("has the request as it was sent, and spread out", async () => {
    const user = userEvent.setup();
    show({ ...answered(text("x")), request });
    await user.click(screen.getByRole("tab", { name: "Raw" }));
    await user.click(screen.getByRole("radio", { name: "Request" }));
    expect((await viewer("raw request")).textContent).toBe(request);
    await user.click(screen.getByRole("radio", { name: "Formatted" }));
    expect(await viewer("raw request")).toHaveTextContent('"n": 1.0');
    await user.click(screen.getByRole("button", { name: "Copy raw request" }));
    expect(await navigator.clipboard.readText()).toBe(request);
  });
  it("says so where nothing was sent", async () => {
    const user = userEvent.setup();
    show(failed("arguments-invalid"));
    await user.click(screen.getByRole("tab", { name: "Raw" }));
    await user.click(screen.getByRole("radio", { name: "Request" }));
    expect(textOf(screen.getByTestId("raw-unsent"))).toMatchInlineSnapshot(`"Nothing was sent to the server."`);
  });
  it("is searched by its button", async () => {
    const user = userEvent.setup();
    show(answered(text(Array.from({ length: 4_000 }, (_, index) => (index % 1_000 === 0 ? "a Needle" : "hay")).join("\n"))));
    const shown = await viewer("text");
    await user.click(screen.getByRole("button", { name: "Find in text" }));
    await user.type(screen.getByRole("textbox", { name: "Find" }), "needle");
    for (const _ of [1, 2]) await user.click(screen.getByRole("button", { name: "Next" }));
    const { state } = EditorView.findFromDOM(shown)!;
    expect(state.sliceDoc(state.selection.main.from, state.selection.main.to)).toBe("Needle");
    expect(state.doc.lineAt(state.selection.main.from).number).toBe(1_001);
    await user.click(screen.getByRole("button", { name: "close" }));
    expect(screen.queryByRole("textbox", { name: "Find" })).toBeNull();
  });
});

describe("a large result", () => {
  it("is weighed in pieces, no character cut apart", () => {
    const heavy = `${"x".repeat(999_999)}😀${"ü".repeat(1_000_000)}`;
    expect(finish(byteSteps(heavy))).toBe(new TextEncoder().encode(heavy).length);
    expect(finish(byteSteps(""))).toBe(0);
  });
  it("shows its beginning at once, and its parts when it is read", async () => {
    show(answered({ structuredContent: Array.from({ length: 800_000 }, (_, index) => index) }));
    expect(screen.getByText(/Reading a large result/)).toBeVisible();
    expect(screen.getByLabelText("raw result")).toHaveTextContent(/^\{"structuredContent":\[0,1,2/);
    expect(await viewer("structured content as a tree")).toHaveTextContent(/^\[ *0,/);
    expect(screen.queryByText(/Reading a large result/)).toBeNull();
  });
  it("of a million lines has few of them on the page", async () => {
    show(answered(text("x\n".repeat(1_000_000))));
    const shown = await viewer("text");
    expect(shown.querySelectorAll(".cm-line").length).toBeLessThan(200);
    expect(screen.getByText(/1,000,001 lines, 2,000,000 characters/)).toBeVisible();
  });
});

describe("a call that runs", () => {
  const render300 = (startedAtMs: number, progress: { progress: number; total: number | null; message: string | null } | null) =>
    render(<ResultPane outcome={null} running={{ startedAtMs, progress }} onCancel={onCancel} />);
  const onCancel = vi.fn();

  it("is quiet for 300 ms", () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    render300(Date.now(), null);
    expect(screen.queryByText("Running")).toBeNull();
  });
  it("then shows how long it has taken, and can be cancelled", async () => {
    render300(Date.now() - 5_000, null);
    expect(screen.getByText("Running")).toBeVisible();
    await userEvent.setup().click(screen.getByRole("button", { name: "Cancel" }));
    expect(onCancel).toHaveBeenCalledOnce();
  });
  it("leaves the focus in the result when the button goes that cancelled it or called again, and only then", async () => {
    const user = userEvent.setup();
    const pane = (outcome: CallOutcome | null) => (
      <ResultPane outcome={outcome} running={outcome === null ? { startedAtMs: 0, progress: null } : null} onCancel={onCancel} onRetry={() => undefined} />
    );
    const { rerender } = render(pane(null));
    rerender(pane(failed("call-timeout")));
    expect(document.body).toHaveFocus();
    await user.click(screen.getByRole("button", { name: /Retry/ }));
    rerender(pane(null));
    expect(screen.getByRole("region", { name: "Result" })).toHaveFocus();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    rerender(pane(failed("call-cancelled")));
    expect(screen.getByRole("region", { name: "Result" })).toHaveFocus();
  });
  it("shows a bar where a total is known, else a count, and the last message", () => {
    render300(Date.now() - 5_000, { progress: 3, total: 10, message: "reading" });
    expect(screen.getByRole("progressbar")).toHaveAttribute("value", "3");
    expect(screen.getByText("reading")).toBeVisible();
    cleanup();
    render300(Date.now() - 5_000, { progress: 3, total: null, message: null });
    expect(screen.queryByRole("progressbar")).toBeNull();
    expect(screen.getByText("3")).toBeVisible();
  });
});

it("no result yet says what to do", () => {
  render(<ResultPane outcome={null} running={null} onCancel={() => undefined} />);
  expect(screen.getByText(/Run the tool to see its result/)).toBeVisible();
});

it("axe has nothing to complain of", async () => {
  const { container } = show(
    answered({ content: [{ type: "text", text: "{}" }, { type: "image", mimeType: "image/png", data: PIXEL }], structuredContent: { a: 1 } }),
  );
  expect(await axeDefects(container, PART)).toEqual([]);
});
