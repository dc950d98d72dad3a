import { act, screen, waitFor, within, type BoundFunctions, type queries } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { FakeBridge } from "../bridge/fake";
import type { PickPath } from "../bridge/bridge";
import { openWindow } from "../testing/open";
import { textOf } from "../testing/text";
import { answered, cancelled, forge, narrow, record, unfit } from "./testing";

const REPLAY = "Open in form";
const MORE = "More actions for the call";

type Inside = BoundFunctions<typeof queries>;
type Opened = ReturnType<typeof openWindow>;

/** Opens the newest of these calls from the list by keys alone. */
async function openNewest(fill: (bridge: FakeBridge) => void, options: Parameters<typeof openWindow>[0] = {}): Promise<Opened & { entry: Inside }> {
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
const invoked = (bridge: FakeBridge) => bridge.asked.filter(({ name }) => name === "invoke_tool").map(({ request }) => request);

describe("an open call", () => {
  it("shows its arguments and its result, with the faces of results", async () => {
    const { entry } = await openNewest((bridge) => void record(bridge, { args: '{"path":"sword"}', end: answered("it broke", true) }));
    expect(await entry.findByRole("textbox", { name: "arguments" })).toHaveTextContent("sword");
    expect(entry.getByText("it broke")).toBeVisible();
    expect(entry.getByTestId("result-status")).toHaveAttribute("data-face", "tool");
  });

  it("says that a long result was cut off", async () => {
    const { entry } = await openNewest((bridge) => void record(bridge, { truncated: true, end: { kind: "result", result: '{"content":[{"ty', isError: false } }));
    expect(textOf(entry.getByTestId("entry-cut"))).toMatchInlineSnapshot(`"The result was too long to be kept whole; this is its beginning."`);
  });

  it("leaves the focus with whoever went on typing before it was read", async () => {
    const { user, bridge, house } = openWindow({ members: [forge()] });
    act(() => void record(bridge));
    act(() => house.openTool("forge", "heat"));
    const path = await screen.findByRole("textbox", { name: /path/ });
    await user.keyboard("{Control>}j{/Control}");
    await waitFor(async () => expect(await screen.findByTestId("history-list")).toHaveFocus());
    let answer: () => void = () => undefined;
    const call = bridge.call.bind(bridge);
    vi.spyOn(bridge, "call").mockImplementation(async (name, request) => {
      if (name === "history_entry") await new Promise<void>((resolve) => (answer = resolve));
      return call(name, request);
    });
    await user.keyboard("{Enter}");
    await user.type(path, "na");
    act(() => answer());
    await screen.findByText(REPLAY);
    await user.keyboard("il");
    await waitFor(() => expect(path).toHaveFocus());
    expect(path).toHaveValue("nail");
  });

  it("is kept under a name by Enter or left by Escape, with the focus back on the button", async () => {
    const { user, bridge, entry } = await openNewest((fake) => void record(fake));
    await user.click(button(entry, MORE));
    await user.click(await screen.findByRole("menuitem", { name: "Save as…" }));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(button(entry, MORE)).toHaveFocus());
    await user.click(button(entry, MORE));
    await user.click(await screen.findByRole("menuitem", { name: "Save as…" }));
    await user.type(entry.getByRole("textbox", { name: "Name" }), "mine{Enter}");
    await waitFor(() => expect(button(entry, MORE)).toHaveFocus());
    expect((await bridge.call("saved_calls", { member: null, tool: null })).calls).toHaveLength(1);
  });

  it("has its gaps also when it is kept under a name: the mask is never sent", async () => {
    const { user, house, bridge, entry } = await openNewest((fake) => void record(fake, { args: '{"path":"http://x/?k=•••"}', masked: ["/path"] }));
    await user.click(button(entry, MORE));
    await user.click(await screen.findByRole("menuitem", { name: "Save as…" }));
    await user.type(entry.getByRole("textbox", { name: "Name" }), "mine{Enter}");
    await waitFor(() => expect(entry.queryByRole("textbox", { name: "Name" })).toBeNull());
    act(() => house.dock.open("saved"));
    expect(await screen.findByText(/secrets to fill in/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Run mine" })).toHaveAttribute("aria-disabled", "true");
    await user.click(screen.getByRole("button", { name: /^mine forge/ }));
    expect(await screen.findByRole("textbox", { name: /path/ })).toHaveValue("");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect((await screen.findAllByText(/There is no value yet/))[0]).toBeVisible();
    expect(invoked(bridge)).toEqual([]);
  });

  it("closes by Escape, with the focus back in the list", async () => {
    const { user } = await openNewest((bridge) => void record(bridge));
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("history-entry")).toBeNull();
    await waitFor(() => expect(screen.getByTestId("history-list")).toHaveFocus());
    expect(screen.getByTestId("history")).toBeVisible();
  });

  it("says so when it was removed meanwhile, and takes it off the list", async () => {
    const { user, bridge } = openWindow({ members: [forge()] });
    act(() => void record(bridge));
    await user.keyboard("{Control>}j{/Control}");
    await screen.findByTestId("history-list");
    await bridge.call("clear_history", { text: null, member: null, tool: null, outcome: null, caller: null, sinceMs: null, untilMs: null });
    await waitFor(() => expect(screen.getByTestId("history-list")).toHaveFocus());
    await user.keyboard("{Enter}");
    expect(textOf(await screen.findByTestId("history-trouble"))).toMatchInlineSnapshot(`"It is not in the history any more. history-entry-unknownClose"`);
    expect(screen.queryByTestId("history-list")).toBeNull();
  });
});

describe("a replay", () => {
  it("puts the arguments into the form as they were, in the place of what stood there", async () => {
    const { user, house, entry } = await openNewest((bridge) => void record(bridge, { args: '{"path":"sword"}' }));
    act(() => house.openTool("forge", "heat"));
    await user.type(await screen.findByRole("textbox", { name: /path/ }), "nail");
    await user.click(button(entry, REPLAY));
    await waitFor(() => expect(screen.getByRole("textbox", { name: /path/ })).toHaveValue("sword"));
    expect(screen.queryByText(/has changed|have changed/)).toBeNull();
  });

  it("asks for what was masked, and never sends the mask", async () => {
    const { user, bridge, entry } = await openNewest(
      (fake) => void record(fake, { args: '{"path":"sword","token":"•••"}', masked: ["/token"] }),
    );
    expect(button(entry, "Run again")).toHaveAttribute("aria-disabled", "true");
    await user.click(button(entry, REPLAY));
    expect((await screen.findAllByText(/value of token is a secret/)).length).toBeGreaterThan(0);
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

  it("says that the tool's arguments have changed since", async () => {
    const { user, entry } = await openNewest((bridge) => void record(bridge, { schema: "changed" }));
    expect(textOf(entry.getByTestId("entry-since"))).toMatchInlineSnapshot(`"The tool's arguments have changed since this call."`);
    await user.click(button(entry, REPLAY));
    expect(textOf(await screen.findByTestId("handed-note"))).toMatchInlineSnapshot(`"The tool's arguments have changed since that call; what no longer fits is told when you run it."`);
  });

  it("says that the tool is gone, and offers neither a replay nor a call", async () => {
    const { entry } = await openNewest((bridge) => void record(bridge, { tool: "temper", schema: "unknown" }));
    expect(textOf(await entry.findByTestId("entry-since"))).toMatchInlineSnapshot(`"The member has no tool "temper"."`);
    expect(button(entry, REPLAY)).toHaveAttribute("aria-disabled", "true");
    expect(button(entry, "Run again")).toHaveAttribute("aria-disabled", "true");
  });
});

describe("running again", () => {
  it("sends the same text at once and shows its result", async () => {
    const { user, bridge, house, entry } = await openNewest((fake) => void record(fake, { args: '{"path": "sword", "n": 1.0}' }));
    await user.click(button(entry, "Run again"));
    await waitFor(() => expect(invoked(bridge)).toHaveLength(1));
    expect(invoked(bridge)).toEqual([expect.objectContaining({ arguments: '{"path": "sword", "n": 1.0}', check: "refuse" })]);
    expect(house.place.get()).toEqual({ kind: "tool", member: "forge", tool: "heat" });
    expect(await result().findByTestId("result-status")).toBeVisible();
  });

  it("can send anyway what the check refuses, and asks where that may destroy something", async () => {
    const { user, bridge, entry } = await openNewest((fake) => void record(fake, { tool: "melt" }), { onCall: () => Promise.resolve(unfit()) });
    expect(entry.queryByRole("button", { name: "Send anyway" })).toBeNull();
    await user.click(button(entry, "Run again"));
    await user.click(within(await screen.findByRole("alertdialog", { name: "Run melt?" })).getByRole("button", { name: "Run" }));
    await user.click(await entry.findByRole("button", { name: "Run without validation" }));
    const question = await screen.findByRole("alertdialog", { name: "Run melt?" });
    expect(textOf(within(question).getByTestId("confirm-what"))).toMatchInlineSnapshot(`"This tool may delete or overwrite data. Its arguments weren't checked. It runs with:"`);
    expect(invoked(bridge)).toHaveLength(1);
    await user.click(within(question).getByRole("button", { name: "Run" }));
    await waitFor(() => expect(invoked(bridge)).toHaveLength(2));
    expect(invoked(bridge)[1]).toMatchObject({ tool: "melt", arguments: '{"path":"sword"}', check: "send-anyway" });
  });

  it("asks once more where the tool may destroy something", async () => {
    const { user, bridge, entry } = await openNewest((fake) => void record(fake, { tool: "melt" }));
    await user.click(button(entry, "Run again"));
    const question = await screen.findByRole("alertdialog", { name: "Run melt?" });
    expect(invoked(bridge)).toEqual([]);
    await user.click(within(question).getByRole("button", { name: "Run" }));
    await waitFor(() => expect(invoked(bridge)).toHaveLength(1));
  });
});

describe("comparing", () => {
  it("shows two marked calls against each other, the older one first", async () => {
    const { user } = await openNewest((bridge) => {
      record(bridge, { end: answered("old words") });
      record(bridge, { end: answered("new words") });
    });
    await user.keyboard("{Escape}");
    await user.keyboard(" ");
    expect(screen.getByRole("button", { name: /Compare \(1 of 2/ })).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{ArrowDown} ");
    await user.click(screen.getByRole("button", { name: /Compare \(2 of 2/ }));
    const shown = within(await screen.findByTestId("comparison"));
    const differences = await shown.findByRole("textbox", { name: "Differences" });
    expect(differences).toHaveTextContent(/old words.*new words/);
  });

  it("shows a call against the result that is on the screen", async () => {
    const { user, house, entry } = await openNewest((bridge) => void record(bridge, { end: answered("of then") }));
    await user.click(button(entry, MORE));
    expect(await screen.findByRole("menuitem", { name: /^Compare with current result/ })).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{Escape}");
    await act(() => house.bench.run("forge", "heat", '{"path":"of now"}', "refuse"));
    act(() => house.openTool("forge", "heat"));
    await user.click(button(entry, MORE));
    await user.click(await screen.findByRole("menuitem", { name: "Compare with current result" }));
    const shown = within(await screen.findByTestId("comparison"));
    expect(await shown.findByRole("textbox", { name: "Differences" })).toHaveTextContent("of then");
    expect(shown.getByText(/call #1 of this window/, { selector: "h2" })).toBeVisible();
  });
});

describe("removing", () => {
  it("asks before one call goes, and says how many would", async () => {
    const { user, bridge } = await openNewest((fake) => {
      record(fake, { args: '{"path":"stays"}', atMs: Date.now() - 90_000 });
      record(fake, { args: '{"path":"goes"}' });
    });
    await user.keyboard("{Escape}{Delete}");
    const question = within(await screen.findByTestId("clear-question"));
    await user.click(await question.findByRole("button", { name: "Remove 1 call" }));
    await waitFor(() => expect(screen.getAllByRole("option", { name: /heat forge/ })).toHaveLength(1));
    expect((await bridge.call("search_history", { filter: { text: null, member: null, tool: null, outcome: null, caller: null, sinceMs: null, untilMs: null }, before: null, limit: 10 })).entries.map(({ summary }) => summary)).toEqual(['{"path":"stays"}']);
  });

  it("clears what fits the filter and nothing else", async () => {
    const { user } = await openNewest((bridge) => {
      for (let index = 0; index < 3; index += 1) record(bridge, { end: cancelled() });
      record(bridge, { args: '{"path":"stays"}' });
    });
    await user.keyboard("{Escape}");
    await narrow(user, "Result", "cancelled");
    await waitFor(() => expect(screen.getByTestId("history-count")).toHaveTextContent("3 found"));
    await user.click(screen.getByRole("button", { name: "Clear…" }));
    const question = within(await screen.findByTestId("clear-question"));
    await user.click(await question.findByRole("button", { name: "Remove 3 calls" }));
    expect(textOf(await screen.findByTestId("history-unfit"))).toMatchInlineSnapshot(`"No call fits."`);
    await user.click(screen.getAllByRole("button", { name: "Clear filters" })[0]!);
    await waitFor(() => expect(screen.getByTestId("history-list")).toHaveTextContent("stays"));
  });

  it("leaves the focus in the dock when the last call goes", async () => {
    const { user } = await openNewest((bridge) => void record(bridge));
    await user.keyboard("{Escape}{Delete}");
    await user.click(await screen.findByRole("button", { name: "Remove 1 call" }));
    expect(textOf(await screen.findByTestId("history-empty"))).toMatchInlineSnapshot(`"No call was recorded yet.Open a tool and press Ctrl+Enter: each call is kept here with its result, to be looked at and made again."`);
    await waitFor(() => expect(screen.getByRole("tab", { name: "History" })).toHaveFocus());
  });

  it("does nothing when one thinks better of it", async () => {
    const { user, bridge } = await openNewest((fake) => void record(fake));
    await user.keyboard("{Escape}{Delete}");
    await user.click(await screen.findByRole("button", { name: "Keep them" }));
    expect(screen.queryByTestId("clear-question")).toBeNull();
    expect(bridge.asked.map(({ name }) => name)).not.toContain("clear_history");
  });
});

describe("exporting", () => {
  it("writes what fits to the file that is picked, and says how many and where", async () => {
    const asked: PickPath[] = [];
    Object.assign(FakeBridge.prototype, {
      pickPath: (wanted: PickPath) => {
        asked.push(wanted);
        return Promise.resolve("/home/me/calls.jsonl");
      },
    });
    try {
      const { user, bridge } = await openNewest((fake) => {
        record(fake);
        record(fake, { tool: "melt" });
      });
      await narrow(user, "Tool", "melt");
      await waitFor(() => expect(screen.getByTestId("history-count")).toHaveTextContent("1 found"));
      await user.click(screen.getByRole("button", { name: "Export…" }));
      expect(textOf(await screen.findByTestId("file-written"))).toMatchInlineSnapshot(`"1 call written to /home/me/calls.jsonl"`);
      expect(asked).toEqual([{ kind: "new-file", suggestedName: expect.stringMatching(/^guild-hall-calls-.*\.jsonl$/) as string }]);
      expect(bridge.history.exports.get("/home/me/calls.jsonl")?.trim().split("\n")).toHaveLength(1);
    } finally {
      Reflect.deleteProperty(FakeBridge.prototype, "pickPath");
    }
  });

  it("is not offered where no file can be picked", async () => {
    await openNewest((bridge) => void record(bridge));
    expect(screen.queryByRole("button", { name: "Export…" })).toBeNull();
  });
});

describe("the settings", () => {
  it("are changed, refuse what is out of bounds, and warn of what would go", async () => {
    const { user, bridge } = await openNewest((fake) => {
      for (let index = 0; index < 3; index += 1) record(fake);
    });
    await user.click(within(screen.getByRole("region", { name: "Dock" })).getByRole("button", { name: "Settings" }));
    const keep = await screen.findByLabelText("Keep at most");
    await user.clear(keep);
    await user.type(keep, "0");
    expect(screen.getByText(/From 1 to 10,000,000/)).toBeVisible();
    await user.clear(keep);
    await user.type(keep, "2");
    expect(textOf(screen.getByTestId("history-surplus"))).toMatchInlineSnapshot(`"The oldest 1 call will be removed at once."`);
    await user.click(screen.getByRole("checkbox", { name: "Record calls" }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(textOf(await screen.findByTestId("history-off"))).toMatchInlineSnapshot(`"Calls are not being recorded."`);
    const { settings } = await bridge.call("history_settings", {});
    expect(settings).toEqual({ recording: false, keepCalls: 2, keepBytes: 512 * 1024 * 1024 });
    await waitFor(() => expect(within(screen.getByTestId("history-list")).getAllByRole("option")).toHaveLength(2));
  });
});

describe("the palette", () => {
  it("finds calls of the past by their words, and opens one in the dock", async () => {
    const { user, bridge } = openWindow({ members: [forge()] });
    act(() => {
      record(bridge, { args: '{"path":"sword"}' });
      record(bridge, { args: '{"path":"nail"}' });
    });
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "#sword");
    await screen.findByRole("option", { name: /heat forge · .*sword/ });
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("textbox", { name: "arguments" })).toHaveTextContent("sword");
  });
});
