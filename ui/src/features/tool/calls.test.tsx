import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import type { CallEnd } from "../../ipc/bindings";
import type { MockCall } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import type { Answers } from "../../ipc/answers";
import { cancelledEnd, textEnd } from "../../testing/callEnds";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";

const input = { type: "object", properties: { path: { type: "string" } } };

const members = () => [
  mockMember(mockView("forge"), [
    mockTool("forge", { name: "heat", description: "Heats.", hints: { destructive: true, openWorld: true, idempotent: false }, input }),
    mockTool("forge", { name: "quench", description: "Cools.", hints: { readOnly: false }, input }),
    mockTool("forge", { name: "look", description: "Looks.", hints: { readOnly: true }, input }),
  ]),
];

/** Mock calls that the test ends, identified by their arguments. */
function held() {
  const open = new Map<string, (end: CallEnd) => void>();
  const onCall: MockCall = (request, _progress, cancelled) =>
    new Promise((resolve) => {
      open.set(request.arguments, resolve);
      cancelled.addEventListener("abort", () => resolve(cancelledEnd(request.member)));
    });
  const answer = (args: string, text: string) =>
    act(async () => {
      open.get(args)?.(textEnd(text));
      await Promise.resolve();
    });
  return { onCall, answer };
}

async function openTool(tool: string, onCall?: MockCall) {
  const copied: Answers = { copy_as: ({ member, tool: copied, arguments: args, form }) => ({ text: `${form} ${member} ${copied} ${args}`, note: null }) };
  const opened = openWindow({ members: members(), answers: copied, ...(onCall && { onCall }) });
  act(() => opened.stores.navigation.openTool("forge", tool));
  const field = await screen.findByRole("textbox", { name: /path/ });
  const sent = () => opened.bridge.asked.filter(({ name }) => name === "invoke_tool").map(({ request }) => request as { arguments: string; check: string });
  return { ...opened, field, sent };
}

const result = () => within(screen.getByTestId("result"));

describe("the server's claims about a tool", () => {
  it("is shown in the head as two badges", async () => {
    await openTool("heat");
    expect(await screen.findByText("Destructive")).toBeVisible();
    expect(screen.getByText("External access")).toBeVisible();
    expect(textOf(screen.getByTestId("tool-hints"))).toMatchInlineSnapshot(`"DestructiveThis tool may delete or overwrite data. You confirm each call. Reported by the server.External accessThis tool reaches systems outside of its server. Reported by the server."`);
  });
  it("are unknown when the server makes none", async () => {
    const opened = openWindow({ members: [mockMember(mockView("anvil"), [mockTool("anvil", { name: "hit", description: "" })])] });
    act(() => opened.stores.navigation.openTool("anvil", "hit"));
    expect(textOf(await screen.findByTestId("tool-hints"))).toMatchInlineSnapshot(`"Effects unknownThe server doesn't say whether this tool changes data."`);
  });
});

describe("a destructive tool", () => {
  it("is confirmed with exactly its arguments", async () => {
    const { user, field, sent } = await openTool("heat");
    await user.type(field, "sword{Enter}");
    const ask = await screen.findByRole("alertdialog", { name: /Run heat/ });
    expect(within(ask).getByLabelText("Arguments of heat on forge")).toHaveTextContent('"path": "sword"');
    await user.click(within(ask).getByRole("button", { name: "Run" }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ arguments: '{"path":"sword"}', check: "refuse" });
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
  it("is asked for by Ctrl+Shift+Enter too, and Escape sends nothing and gives the focus back", async () => {
    const { user, field, sent } = await openTool("heat");
    await user.type(field, "sword");
    await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    expect(textOf(within(await screen.findByRole("alertdialog")).getByTestId("confirm-what"))).toMatchInlineSnapshot(`"This tool may delete or overwrite data. Its arguments weren't checked. It runs with:"`);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(sent()).toEqual([]);
    await waitFor(() => expect(field).toHaveFocus());
  });
  it("is not asked for again in this window once one said so", async () => {
    const { user, field, sent } = await openTool("heat");
    await user.type(field, "a{Enter}");
    await user.click(await screen.findByRole("checkbox", { name: /Don't ask again/ }));
    await user.click(screen.getByRole("button", { name: "Run" }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    await user.type(field, "b{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
  it("is not every tool that may change something", async () => {
    const { user, field, sent } = await openTool("quench");
    await user.type(field, "a{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(1));
  });
});

describe("several calls at once", () => {
  it("of one tool run side by side, each is shown, cancelled and answered by itself", async () => {
    const calls = held();
    const { user, field, sent } = await openTool("look", calls.onCall);
    await user.type(field, "one{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(1));
    await user.clear(field);
    await user.type(field, "two{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(2));
    await user.click(await result().findByRole("button", { name: "Call 2 of this tool" }));
    expect(await screen.findAllByRole("menuitemradio", { name: /Running/ })).toHaveLength(2);
    await user.click(screen.getByRole("menuitemradio", { name: /#1/ }));
    await user.click(await result().findByRole("button", { name: "Cancel" }));
    expect(await result().findByText("Cancelled")).toBeVisible();
    await calls.answer('{"path":"two"}', "second answer");
    await user.click(result().getByRole("button", { name: "Call 1 of this tool" }));
    await user.click(await screen.findByRole("menuitemradio", { name: /#2.*Done.*new/ }));
    expect(await result().findByText("second answer")).toBeVisible();
  });
  it("the same arguments twice within a moment are one call", async () => {
    const calls = held();
    const { user, field, sent } = await openTool("look", calls.onCall);
    // Stops the clock, so that both presses count as repeated even on a slow machine.
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    await user.type(field, "one{Enter}{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(1));
    await calls.answer('{"path":"one"}', "done");
    expect(await result().findByText("done")).toBeVisible();
    expect(sent()).toHaveLength(1);
  });
  it("the answer of a call that was left is told and found", async () => {
    const calls = held();
    const { user, field, stores, sent } = await openTool("look", calls.onCall);
    await user.type(field, "one{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(1));
    act(() => stores.navigation.openTool("forge", "quench"));
    await screen.findByText("Cools.");
    await calls.answer('{"path":"one"}', "found again");
    const bar = screen.getByRole("contentinfo");
    await user.click(await within(bar).findByRole("button", { name: /look of forge: Done/ }));
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"look of forge: Done"`);
    expect(await result().findByText("found again")).toBeVisible();
    await waitFor(() => expect(within(bar).queryByRole("button", { name: /look of forge/ })).toBeNull());
  });
  it("the open menu of calls stays open when the shown call ends", async () => {
    const calls = held();
    const { user, field, sent } = await openTool("look", calls.onCall);
    await user.type(field, "one{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(1));
    await calls.answer('{"path":"one"}', "found one");
    await user.type(field, "2{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(2));
    await user.click(result().getByRole("button", { name: "Call 2 of this tool" }));
    expect(await screen.findByRole("menuitemradio", { name: /#2.*Running/ })).toBeVisible();
    await calls.answer('{"path":"one2"}', "found two");
    expect(await result().findByText("found two")).toBeVisible();
    await user.click(screen.getByRole("menuitemradio", { name: /#1.*Done/ }));
    expect(await result().findByText("found one")).toBeVisible();
    expect(screen.queryByRole("menu")).toBeNull();
  });
  it("the highlighted call stays the same when another call is added", async () => {
    const { user, stores } = await openTool("look", held().onCall);
    const call = (args: string) => act(() => void stores.bench.run("forge", "look", args, "refuse"));
    call('{"path":"one"}');
    call('{"path":"two"}');
    await user.click(result().getByRole("button", { name: "Call 2 of this tool" }));
    const group = within(await screen.findByRole("group", { name: "Calls of this tool" }));
    await user.keyboard("{ArrowDown}");
    expect(group.getByRole("menuitemradio", { name: /#2/ })).toHaveFocus();
    call('{"path":"three"}');
    expect(group.getAllByRole("menuitemradio")).toHaveLength(3);
    expect(group.getByRole("menuitemradio", { name: /#2/ })).toHaveFocus();
  });
  it("the menu of calls stays closed after a removed call closed it", async () => {
    const { user, stores } = await openTool("look", held().onCall);
    const call = (args: string) => act(() => void stores.bench.run("forge", "look", args, "refuse"));
    call('{"path":"one"}');
    call('{"path":"two"}');
    await user.click(result().getByRole("button", { name: "Call 2 of this tool" }));
    await screen.findByRole("menu");
    act(() => stores.bench.refuse("forge/look", [], stores.bench.sheet("forge/look").shown));
    expect(screen.queryByRole("menu")).toBeNull();
    call('{"path":"three"}');
    expect(result().getByRole("button", { name: "Call 3 of this tool" })).toBeVisible();
    expect(screen.queryByRole("menu")).toBeNull();
  });
  it("all of them stand in one list, which leads to each and cancels it", async () => {
    const calls = held();
    const { user, field, stores, sent } = await openTool("look", calls.onCall);
    await user.type(field, "one{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(1));
    act(() => stores.navigation.openTool("forge", "quench"));
    await screen.findByText("Cools.");
    await user.click(await screen.findByRole("button", { name: /1 call running/ }));
    const list = within(await screen.findByRole("list", { name: "Calls of this window" }));
    await user.click(list.getByRole("button", { name: "Cancel look of forge, call 1" }));
    expect(await list.findByText(/Cancelled/)).toBeVisible();
    await user.click(list.getByRole("button", { name: /forge.*look/ }));
    expect(await result().findByText(/You cancelled the call/)).toBeVisible();
  });
});

describe("copy as", () => {
  it("opens by its key, copies what the form holds, and says what to know", async () => {
    const { user, field, bridge } = await openTool("look");
    await user.type(field, "x");
    await user.keyboard("{Control>}{Shift>}c{/Shift}{/Control}");
    await user.click(await screen.findByRole("menuitem", { name: /curl/ }));
    expect(await screen.findByText(/^curl script copied/)).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('curl forge look {"path":"x"}');
    const forms = bridge.asked.filter(({ name }) => name === "copy_as").map(({ request }) => (request as { form: string }).form);
    expect(forms).toEqual(["curl", "json-rpc", "guildhall", "client-config"]);
  });
  it("what can't be copied is there with its reason", async () => {
    const { user, bridge } = await openTool("look");
    const call = bridge.call.bind(bridge);
    vi.spyOn(bridge, "call").mockImplementation((name, request) => {
      const copied = { text: "", note: "This member speaks over its standard input." };
      return name === "copy_as" ? (Promise.resolve(copied)) : call(name, request);
    });
    await user.keyboard("{Control>}{Shift>}c{/Shift}{/Control}");
    const item = await screen.findByRole("menuitem", { name: /curl.*standard input/ });
    expect(item).toHaveAttribute("aria-disabled", "true");
  });
});

describe("two results of a tool", () => {
  it("are compared, and others can be chosen", async () => {
    const { user, field } = await openTool("look", (request) => Promise.resolve(textEnd(`first\n${request.arguments}\nlast`)));
    for (const word of ["one", "two"]) {
      await user.clear(field);
      await user.type(field, `${word}{Enter}`);
      expect(await result().findByText(new RegExp(`"${word}"`))).toBeVisible();
    }
    await user.click(result().getByRole("button", { name: "Call 2 of this tool" }));
    await user.click(await screen.findByRole("menuitem", { name: "Compare with #1" }));
    const summary = () => result().findByTestId("comparison-summary");
    expect(textOf(await summary())).toBe("+ 1 line added, − 1 line removed");
    expect(result().getByRole("button", { name: "Back to result" })).toHaveFocus();
    await user.click(result().getByRole("combobox", { name: "Left" }));
    await user.click(await screen.findByRole("option", { name: /#2/ }));
    expect(textOf(await summary())).toBe("No differences");
    await user.click(result().getByRole("button", { name: "Back to result" }));
    expect(await result().findByText(/"two"/)).toBeVisible();
  });
});
