import { act, screen, waitFor, within, type BoundFunctions, type queries } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { MockBridge } from "../../ipc/mock";
import { cancelledEnd, refusedEnd, textEnd } from "../../testing/callEnds";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { chooseMore, forge, narrow, record } from "./testing";

const REPLAY = "Open in form";
const MORE = "More actions for the call";

type Inside = BoundFunctions<typeof queries>;
type Opened = ReturnType<typeof openWindow>;

/** Opens the newest call that `fill` records from the list, with the keyboard only. */
async function openNewest(fill: (bridge: MockBridge) => void, options: Parameters<typeof openWindow>[0] = {}): Promise<Opened & { entry: Inside }> {
  const opened = openWindow({ members: [forge()], ...options });
  act(() => fill(opened.bridge));
  await opened.user.keyboard("{Control>}j{/Control}");
  await waitFor(async () => expect(await screen.findByTestId("history-list")).toHaveFocus());
  await opened.user.keyboard("{Enter}");
  const entry = within(await screen.findByTestId("history-entry"));
  await entry.findByText(REPLAY);
  return { ...opened, entry };
}

const button = (entry: Inside, name: string | RegExp) => entry.getByRole("button", { name });
const result = () => within(screen.getByTestId("result"));
const invoked = (bridge: MockBridge) => bridge.asked.filter(({ name }) => name === "invoke_tool").map(({ request }) => request);

describe("an open call", () => {
  it("shows its result and its arguments", async () => {
    const { user, entry } = await openNewest((bridge) => void record(bridge, { args: '{"path":"sword"}', end: textEnd("it broke", true) }));
    expect(await entry.findByText("it broke")).toBeVisible();
    expect(entry.getByTestId("result-status")).toHaveAttribute("data-face", "tool");
    await user.click(entry.getByRole("tab", { name: "Arguments" }));
    expect(await entry.findByRole("textbox", { name: "arguments" })).toHaveTextContent("sword");
  });

  it("marks a truncated result", async () => {
    const { entry } = await openNewest((bridge) => void record(bridge, { truncated: true, end: { kind: "result", result: '{"content":[{"ty', isError: false } }));
    expect(textOf(entry.getByTestId("entry-cut"))).toMatchInlineSnapshot(`"Result truncated (too long to store)"`);
  });

  it("trace ID is shown and can be copied", async () => {
    const { user, entry } = await openNewest((bridge) => void record(bridge));
    const traceId = "00000000000000000000000000000001";
    expect(textOf(entry.getByTestId("entry-trace"))).toBe(`Trace ${traceId}`);
    await user.click(button(entry, "Copy the trace ID"));
    expect(await navigator.clipboard.readText()).toBe(traceId);
  });

  it("call of an earlier version has no trace ID", async () => {
    const { entry } = await openNewest((bridge) => {
      const earlier = record(bridge);
      earlier.traceId = null;
    });
    expect(entry.queryByTestId("entry-trace")).toBeNull();
  });

  it("name field returns the focus to the button", async () => {
    const { user, bridge, entry } = await openNewest((fake) => void record(fake));
    await user.click(button(entry, MORE));
    await user.click(await screen.findByRole("menuitem", { name: "Save as…" }));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(button(entry, MORE)).toHaveFocus());
    await user.click(button(entry, MORE));
    await user.click(await screen.findByRole("menuitem", { name: "Save as…" }));
    await user.type(screen.getByRole("textbox", { name: "Name" }), "mine{Enter}");
    await waitFor(() => expect(button(entry, MORE)).toHaveFocus());
    expect((await bridge.call("saved_calls", { member: null, tool: null })).calls).toHaveLength(1);
  });

  it("saved call never sends the mask", async () => {
    const { user, stores, bridge, entry } = await openNewest((fake) => void record(fake, { args: '{"path":"http://x/?k=•••"}', masked: ["/path"] }));
    await user.click(button(entry, MORE));
    await user.click(await screen.findByRole("menuitem", { name: "Save as…" }));
    await user.type(screen.getByRole("textbox", { name: "Name" }), "mine{Enter}");
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Name" })).toBeNull());
    act(() => stores.navigation.openHistory("saved"));
    expect(await screen.findByText("Needs secrets")).toBeVisible();
    expect(screen.getByRole("button", { name: "Run mine" })).toHaveAttribute("aria-disabled", "true");
    await user.click(screen.getByRole("button", { name: /^mine .*forge/ }));
    expect(await screen.findByRole("textbox", { name: /path/ })).toHaveValue("");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect((await screen.findAllByText(/There is no value yet/))[0]).toBeVisible();
    expect(invoked(bridge)).toEqual([]);
  });

  it("Escape returns the focus to the list", async () => {
    const { user } = await openNewest((bridge) => void record(bridge));
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("history-entry")).toBeNull();
    await waitFor(() => expect(screen.getByTestId("history-list")).toHaveFocus());
    expect(screen.getByTestId("history")).toBeVisible();
  });

  it("deleted call leaves the list", async () => {
    const { user, bridge } = openWindow({ members: [forge()] });
    act(() => void record(bridge));
    await user.keyboard("{Control>}j{/Control}");
    await screen.findByTestId("history-list");
    await bridge.call("clear_history", { text: null, member: null, tool: null, outcome: null, caller: null, sinceMs: null, untilMs: null, entry: null, session: null });
    await waitFor(() => expect(screen.getByTestId("history-list")).toHaveFocus());
    await user.keyboard("{Enter}");
    expect(textOf(await screen.findByTestId("history-trouble"))).toMatchInlineSnapshot(`"It is not in the history any more. history-entry-unknown"`);
    expect(screen.queryByTestId("history-list")).toBeNull();
  });
});

describe("a replay", () => {
  it("replaces the arguments in the form", async () => {
    const { user, stores } = await openNewest((bridge) => void record(bridge, { args: '{"path":"sword"}' }));
    act(() => stores.navigation.openTool("forge", "heat"));
    await user.type(await screen.findByRole("textbox", { name: /path/ }), "nail");
    await user.keyboard("{Control>}j{/Control}");
    await user.click(await screen.findByRole("button", { name: REPLAY }));
    await waitFor(() => expect(screen.getByRole("textbox", { name: /path/ })).toHaveValue("sword"));
    await waitFor(() => expect(screen.getByRole("textbox", { name: /path/ })).toHaveFocus());
    expect(screen.queryByText(/has changed|have changed/)).toBeNull();
  });

  it("asks for masked values", async () => {
    const { user, bridge, entry } = await openNewest(
      (fake) => void record(fake, { args: '{"path":"sword","token":"•••"}', masked: ["/token"] }),
    );
    expect(button(entry, "Run again")).toHaveAttribute("aria-disabled", "true");
    await user.click(button(entry, REPLAY));
    expect((await screen.findAllByText(/value of token\. It is a secret/)).length).toBeGreaterThan(0);
    const token = await screen.findByRole("textbox", { name: /token/ });
    expect(token).toHaveValue("");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect((await screen.findAllByText(/There is no value yet/))[0]).toBeVisible();
    expect(invoked(bridge)).toEqual([]);
    await user.type(token, "new secret");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(invoked(bridge)).toHaveLength(1));
    expect(invoked(bridge)).toEqual([expect.objectContaining({ arguments: '{"path":"sword","token":"new secret"}' })]);
  });

  it("reports changed arguments of the tool", async () => {
    const { user, entry } = await openNewest((bridge) => void record(bridge, { schema: "changed" }));
    expect(textOf(entry.getByTestId("entry-since"))).toMatchInlineSnapshot(`"The tool's arguments have changed since this call."`);
    await user.click(button(entry, REPLAY));
    expect(textOf(await screen.findByTestId("handed-note"))).toMatchInlineSnapshot(`"The tool's arguments have changed since this call. Running it shows the ones that no longer fit."`);
  });

  it("missing tool can't be opened or run", async () => {
    const { entry } = await openNewest((bridge) => void record(bridge, { tool: "temper", schema: "unknown" }));
    expect(textOf(await entry.findByTestId("entry-since"))).toMatchInlineSnapshot(`"The member has no tool "temper"."`);
    expect(button(entry, REPLAY)).toHaveAttribute("aria-disabled", "true");
    expect(button(entry, "Run again")).toHaveAttribute("aria-disabled", "true");
  });
});

describe("running again", () => {
  it("sends the same text and shows its result", async () => {
    const { user, bridge, stores, entry } = await openNewest((fake) => void record(fake, { args: '{"path": "sword", "n": 1.0}' }));
    await user.click(button(entry, "Run again"));
    await waitFor(() => expect(invoked(bridge)).toHaveLength(1));
    expect(invoked(bridge)).toEqual([expect.objectContaining({ arguments: '{"path": "sword", "n": 1.0}', check: "refuse" })]);
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "heat" });
    expect(await result().findByTestId("result-status")).toBeVisible();
  });

  it("refused call runs without validation", async () => {
    const { user, bridge, stores, entry } = await openNewest((fake) => void record(fake, { tool: "melt" }), { onCall: () => Promise.resolve(refusedEnd([{ pointer: "/path", message: "is no number", keyword: "type" }])) });
    expect(entry.queryByRole("button", { name: "Run without validation" })).toBeNull();
    await user.click(button(entry, "Run again"));
    await user.click(within(await screen.findByRole("alertdialog", { name: "Run melt?" })).getByRole("button", { name: "Run" }));
    await waitFor(() => expect(stores.navigation.place.get()).toMatchObject({ kind: "tool", tool: "melt" }));
    await user.keyboard("{Control>}j{/Control}");
    await user.click(await screen.findByRole("button", { name: "Run without validation" }));
    const question = await screen.findByRole("alertdialog", { name: "Run melt?" });
    expect(textOf(within(question).getByTestId("confirm-what"))).toMatchInlineSnapshot(`"This tool may delete or overwrite data. Its arguments weren't checked. It runs with:"`);
    expect(invoked(bridge)).toHaveLength(1);
    await user.click(within(question).getByRole("button", { name: "Run" }));
    await waitFor(() => expect(invoked(bridge)).toHaveLength(2));
    expect(invoked(bridge)[1]).toMatchObject({ tool: "melt", arguments: '{"path":"sword"}', check: "send-anyway" });
  });

  it("destructive tool asks first", async () => {
    const { user, bridge, entry } = await openNewest((fake) => void record(fake, { tool: "melt" }));
    await user.click(button(entry, "Run again"));
    const question = await screen.findByRole("alertdialog", { name: "Run melt?" });
    expect(invoked(bridge)).toEqual([]);
    await user.click(within(question).getByRole("button", { name: "Run" }));
    await waitFor(() => expect(invoked(bridge)).toHaveLength(1));
  });
});

describe("comparing", () => {
  it("compares two selected calls by age", async () => {
    const { user } = await openNewest((bridge) => {
      record(bridge, { end: textEnd("old words") });
      record(bridge, { end: textEnd("new words") });
    });
    await user.keyboard("{Escape}");
    await user.keyboard(" ");
    expect(screen.getByRole("button", { name: "Compare" })).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{ArrowDown} ");
    expect(screen.getByTestId("history-selection")).toHaveTextContent("2 calls selected");
    await user.click(screen.getByRole("button", { name: "Compare" }));
    const shown = within(await screen.findByTestId("comparison"));
    const differences = await shown.findByRole("textbox", { name: "Differences" });
    expect(differences).toHaveTextContent(/old words.*new words/);
  });

  it("compares a call with the current result", async () => {
    const { user, stores, entry } = await openNewest((bridge) => void record(bridge, { end: textEnd("of then") }));
    await user.click(button(entry, MORE));
    expect(await screen.findByRole("menuitem", { name: /^Compare with current result/ })).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{Escape}");
    await act(() => stores.bench.run("forge", "heat", '{"path":"of now"}', "refuse"));
    await user.click(button(entry, MORE));
    await user.click(await screen.findByRole("menuitem", { name: "Compare with current result" }));
    const shown = within(await screen.findByTestId("comparison"));
    expect(await shown.findByRole("textbox", { name: "Differences" })).toHaveTextContent("of then");
    expect(shown.getByText(/and call #1 of this window$/)).toBeVisible();
  });
});

const summaries = async (bridge: MockBridge) => {
  const filter = { text: null, member: null, tool: null, outcome: null, caller: null, sinceMs: null, untilMs: null, entry: null, session: null };
  return (await bridge.call("search_history", { filter, before: null, limit: 10 })).entries.map(({ summary }) => summary);
};
const rows = () => screen.getAllByRole("option", { name: /heat forge/ });

describe("deleting", () => {
  const fill = (bridge: MockBridge) => {
    record(bridge, { args: '{"path":"stays"}', atMs: Date.now() - 90_000 });
    record(bridge, { args: '{"path":"goes"}' });
  };

  it("hides a call until it can't be undone", async () => {
    const { user, bridge } = await openNewest(fill);
    await user.keyboard("{Escape}{Delete}");
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(await screen.findByText("Deleted 1 call")).toBeVisible();
    expect(await summaries(bridge)).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    await waitFor(async () => expect(await summaries(bridge)).toEqual(['{"path":"stays"}']));
    expect(rows()).toHaveLength(1);
  });

  it("undo shows the call again", async () => {
    const { user, bridge } = await openNewest(fill);
    await user.keyboard("{Escape}{Delete}");
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(bridge.asked.map(({ name }) => name)).not.toContain("clear_history");
  });

  it("deletes a call that the search doesn't match", async () => {
    const { user, bridge, stores } = await openNewest(fill);
    act(() => stores.history.narrow({ text: "stays" }));
    await waitFor(() => expect(rows()).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: MORE }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    expect(await screen.findByText("Deleted 1 call")).toBeVisible();
    act(() => void window.dispatchEvent(new Event("pagehide")));
    await waitFor(async () => expect(await summaries(bridge)).toEqual(['{"path":"stays"}']));
  });

  it("deletes all selected calls together", async () => {
    const { user, bridge } = await openNewest(fill);
    await user.keyboard("{Escape} {ArrowDown} ");
    await user.click(screen.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Deleted 2 calls")).toBeVisible();
    act(() => void window.dispatchEvent(new Event("pagehide")));
    await waitFor(async () => expect(await summaries(bridge)).toEqual([]));
  });

  it("clears the matching calls and no others", async () => {
    const { user } = await openNewest((bridge) => {
      for (let index = 0; index < 3; index += 1) record(bridge, { end: cancelledEnd() });
      record(bridge, { args: '{"path":"stays"}' });
    });
    await user.keyboard("{Escape}");
    await narrow(user, "Result", "Cancelled");
    await waitFor(() => expect(screen.getByTestId("history-count")).toHaveTextContent("3 found"));
    await chooseMore(user, "Delete matching calls…");
    const question = within(await screen.findByTestId("clear-question"));
    await user.click(await question.findByRole("button", { name: "Delete 3 calls" }));
    expect(await screen.findByText("No matching calls")).toBeVisible();
    await user.click(screen.getAllByRole("button", { name: "Clear filters" })[0]!);
    await waitFor(() => expect(screen.getByTestId("history-list")).toHaveTextContent("stays"));
  });

  it("cancelled question deletes nothing", async () => {
    const { user, bridge } = await openNewest((fake) => void record(fake));
    await user.keyboard("{Escape}");
    await chooseMore(user, "Delete all calls…");
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    expect(screen.queryByTestId("clear-question")).toBeNull();
    expect(bridge.asked.map(({ name }) => name)).not.toContain("clear_history");
  });
});

describe("exporting", () => {
  it("writes the matching calls to a file", async () => {
    const fill = (fake: MockBridge) => {
      record(fake);
      record(fake, { tool: "melt" });
    };
    const { user, bridge } = await openNewest(fill, { picks: "/home/me/calls.jsonl" });
    await user.keyboard("{Escape}");
    await narrow(user, "Tool", "melt");
    await waitFor(() => expect(screen.getByTestId("history-count")).toHaveTextContent("1 found"));
    await chooseMore(user, "Export…");
    expect(await screen.findByText("Exported 1 call to /home/me/calls.jsonl")).toBeVisible();
    expect(bridge.picked).toEqual([{ kind: "new-file", suggestedName: expect.stringMatching(/^guild-hall-calls-.*\.jsonl$/) as string }]);
    expect(bridge.history.exports.get("/home/me/calls.jsonl")?.trim().split("\n")).toHaveLength(1);
  });

  it("is absent without a file dialog", async () => {
    const { user } = await openNewest((bridge) => void record(bridge));
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "More actions for the history" }));
    expect(screen.queryByRole("menuitem", { name: "Export…" })).toBeNull();
  });
});

describe("the settings", () => {
  it("changed limits warn before they delete", async () => {
    const { user, bridge } = await openNewest((fake) => {
      for (let index = 0; index < 3; index += 1) record(fake);
    });
    await user.keyboard("{Escape}");
    await chooseMore(user, "Settings…");
    const keep = await screen.findByLabelText("Maximum calls");
    await user.clear(keep);
    await user.type(keep, "0");
    expect(screen.getByText(/from 1 to 10,000,000/)).toBeVisible();
    await user.clear(keep);
    await user.type(keep, "2");
    expect(textOf(screen.getByTestId("history-surplus"))).toMatchInlineSnapshot(`"Deletes the oldest 1 call."`);
    await user.click(screen.getByRole("checkbox", { name: "Record calls" }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(textOf(await screen.findByTestId("history-off"))).toMatchInlineSnapshot(`"Guild Hall doesn't record calls."`);
    const { settings } = await bridge.call("history_settings", {});
    expect(settings).toEqual({ recording: false, keepCalls: 2, keepBytes: 512 * 1024 * 1024 });
    await waitFor(() => expect(within(screen.getByTestId("history-list")).getAllByRole("option")).toHaveLength(2));
  });
});

describe("the palette", () => {
  it("finds a past call and opens it", async () => {
    const { user, bridge } = openWindow({ members: [forge()] });
    act(() => {
      record(bridge, { args: '{"path":"sword"}' });
      record(bridge, { args: '{"path":"nail"}' });
    });
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "#sword");
    await screen.findByRole("option", { name: /heat forge · .*sword/ });
    await user.keyboard("{Enter}");
    const entry = within(await screen.findByTestId("history-entry"));
    await user.click(await entry.findByRole("tab", { name: "Arguments" }));
    expect(await entry.findByRole("textbox", { name: "arguments" })).toHaveTextContent("sword");
  });
});
