import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { MockBridge } from "../../ipc/mock";
import { refusedEnd } from "../../testing/callEnds";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { runSystemCheck } from "../settings/doctor/examination";
import { forge } from "./testing";
import { UNDO_MS } from "../../lib/toasts";

afterEach(() => {
  vi.useRealTimers();
});

function save(bridge: MockBridge, name: string, tool = "heat", args = '{"path":"sword"}') {
  return bridge.call("save_call", { member: "forge", tool, name, arguments: args, existing: "keep" });
}

const names = async (bridge: MockBridge) =>
  (await bridge.call("saved_calls", { member: null, tool: null })).calls.map(({ name }) => name);

async function openSavedTab(...saved: string[]) {
  const opened = openWindow({ members: [forge()] });
  for (const name of saved) await save(opened.bridge, name);
  act(() => opened.stores.navigation.openHistory("saved"));
  await screen.findByTestId("saved-panel");
  return opened;
}

const field = () => screen.findByRole("textbox", { name: /path/ });

describe("saving by its key", () => {
  it("saves the last typed arguments", async () => {
    const { user, bridge, stores } = openWindow({ members: [forge()] });
    act(() => stores.navigation.openTool("forge", "heat"));
    await user.type(await field(), "horseshoe");
    await user.keyboard("{Control>}s{/Control}");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "for the mare{Enter}");
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Name" })).toBeNull());
    const { calls } = await bridge.call("saved_calls", { member: "forge", tool: "heat" });
    expect(calls).toEqual([expect.objectContaining({ name: "for the mare", arguments: '{"path":"horseshoe"}' })]);
  });

  it("palette keeps the typed name and its focus", async () => {
    const { user, stores } = openWindow({ members: [forge()] });
    act(() => stores.navigation.openTool("forge", "heat"));
    await user.type(await field(), "horseshoe");
    await user.keyboard("{Control>}s{/Control}");
    const name = await screen.findByRole("textbox", { name: "Name" });
    await user.type(name, "for the");
    await user.keyboard("{Control>}k{/Control}");
    await waitFor(() => expect(screen.getByTestId("palette-input")).toHaveFocus());
    await user.click(screen.getByTestId("palette-input"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(name).toHaveFocus());
    expect(name).toHaveValue("for the");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Name" })).toBeNull());
  });

  it("failed save shows a message on other pages", async () => {
    const { user, stores, bridge } = openWindow({ members: [forge()] });
    const call = bridge.call.bind(bridge);
    let refuse: () => void = () => undefined;
    const held = new Promise<never>((_, reject) => { refuse = () => reject(new Error("the disk is full")); });
    bridge.call = (name, request) => (name === "save_call" ? held : call(name, request));
    act(() => stores.navigation.openTool("forge", "heat"));
    await user.type(await field(), "horseshoe");
    await user.keyboard("{Control>}s{/Control}");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "for the mare{Enter}");
    act(() => runSystemCheck(stores));
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Name" })).toBeNull());
    expect(stores.hall.notices.get()).toEqual([]);
    act(() => refuse());
    expect(await screen.findByText(/the disk is full/)).toBeVisible();
  });

  it("taken name offers to replace the call", async () => {
    const { user, bridge, stores } = openWindow({ members: [forge()] });
    await save(bridge, "mine", "heat", '{"path":"old"}');
    act(() => stores.navigation.openTool("forge", "heat"));
    await user.type(await field(), "new");
    await user.keyboard("{Control>}s{/Control}");
    const name = await screen.findByRole("textbox", { name: "Name" });
    await user.type(name, "mine{Enter}");
    expect(await screen.findByText(/has a saved call of the name "mine"/)).toBeVisible();
    expect(name).toHaveAttribute("aria-invalid", "true");
    await user.click(screen.getByRole("button", { name: "Replace" }));
    await waitFor(async () => {
      const { calls } = await bridge.call("saved_calls", { member: null, tool: null });
      expect(calls).toEqual([expect.objectContaining({ name: "mine", arguments: '{"path":"new"}' })]);
    });
  });

  it("needs a name", async () => {
    const { user, bridge, stores } = openWindow({ members: [forge()] });
    act(() => stores.navigation.openTool("forge", "heat"));
    await field();
    await user.keyboard("{Control>}s{/Control}");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "  {Enter}");
    expect(await screen.findByText(/Enter a name/)).toBeVisible();
    expect(await names(bridge)).toEqual([]);
  });
});

describe("saved calls", () => {
  it("tool head and palette open saved calls", async () => {
    const { user, bridge, stores } = openWindow({ members: [forge()] });
    await save(bridge, "for the mare");
    act(() => stores.navigation.openTool("forge", "heat"));
    await field();
    await user.click(await screen.findByRole("button", { name: "Saved calls of heat" }));
    await user.click(await screen.findByRole("menuitem", { name: "for the mare" }));
    await waitFor(async () => expect(await field()).toHaveValue("sword"));

    act(() => stores.navigation.openMember("forge"));
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "mare");
    await user.click(await screen.findByRole("option", { name: /for the mare/ }));
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "heat" });
  });

  it("are run at once", async () => {
    const { user, bridge } = await openSavedTab("mine");
    await user.click(await screen.findByRole("button", { name: "Run mine" }));
    await waitFor(() => expect(bridge.asked.find(({ name }) => name === "invoke_tool")?.request).toMatchObject({ arguments: '{"path":"sword"}', check: "refuse" }));
  });

  it("arrows move, F2 renames", async () => {
    const { user, bridge } = await openSavedTab("first", "second");
    await waitFor(() => expect(screen.getByRole("button", { name: /^first/ })).toHaveFocus());
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(screen.getByRole("button", { name: /^second/ })).toHaveFocus());
    await user.keyboard("{F2}");
    const name = screen.getByRole("textbox", { name: "New name of second" });
    await user.clear(name);
    await user.type(name, "first{Enter}");
    expect(await screen.findByText(/has a saved call of the name "first"/)).toBeVisible();
    await user.clear(name);
    await user.type(name, "third{Enter}");
    await screen.findByRole("button", { name: /^third/ });
    expect(await names(bridge)).toEqual(["first", "third"]);
  });

  it("undo restores a deleted call with the focus", async () => {
    const { user, bridge } = await openSavedTab("first", "second");
    await waitFor(() => expect(screen.getByRole("button", { name: /^first/ })).toHaveFocus());
    await user.keyboard("{Delete}");
    await waitFor(() => expect(screen.queryByRole("button", { name: /^first forge/ })).toBeNull());
    expect(await names(bridge)).toEqual(["first", "second"]);
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(screen.getByRole("button", { name: /^first forge/ })).toHaveFocus());
  });

  it("keyboard focus on Undo pauses its time", async () => {
    const { stores, bridge } = await openSavedTab("first");
    await screen.findByRole("button", { name: /^first/ });
    const [call] = (await bridge.call("saved_calls", { member: null, tool: null })).calls;
    vi.useFakeTimers({ shouldAdvanceTime: true });
    act(() => stores.history.saved.remove(call!));
    const undo = await screen.findByRole("button", { name: "Undo" });
    act(() => undo.focus());
    await act(() => vi.advanceTimersByTimeAsync(10 * UNDO_MS));
    expect(bridge.asked.map(({ name }) => name)).not.toContain("delete_saved_call");
    act(() => undo.blur());
    await act(() => vi.advanceTimersByTimeAsync(2 * UNDO_MS));
    expect(bridge.asked.map(({ name }) => name)).toContain("delete_saved_call");
  });

  it("held Delete key removes one call", async () => {
    const { user } = await openSavedTab("a", "b", "c");
    await waitFor(() => expect(screen.getByRole("button", { name: /^a forge/ })).toHaveFocus());
    await user.keyboard("{Delete>5/}");
    await waitFor(() => expect(screen.queryByRole("button", { name: /^a forge/ })).toBeNull());
    expect(screen.getByRole("button", { name: /^b forge/ })).toHaveFocus();
  });

  it("closed window keeps calls deleted", async () => {
    const { user, bridge } = await openSavedTab("first", "second", "third");
    await waitFor(() => expect(screen.getByRole("button", { name: /^first/ })).toHaveFocus());
    await user.keyboard("{Delete}{Delete}");
    act(() => void window.dispatchEvent(new Event("pagehide")));
    await waitFor(async () => expect(await names(bridge)).toEqual(["third"]));
  });

  it("refused call runs without validation", async () => {
    const { user, bridge, stores } = openWindow({ members: [forge()], onCall: () => Promise.resolve(refusedEnd([{ pointer: "/path", message: "is no number", keyword: "type" }])) });
    await save(bridge, "mine");
    act(() => stores.navigation.openHistory("saved"));
    await user.click(await screen.findByRole("button", { name: "Run mine" }));
    await waitFor(() => expect(stores.navigation.place.get()).toMatchObject({ kind: "tool", tool: "heat" }));
    act(() => stores.navigation.openHistory("saved"));
    await user.click(await screen.findByRole("button", { name: "Run mine without validation" }));
    await waitFor(() => expect(bridge.asked.findLast(({ name }) => name === "invoke_tool")?.request).toMatchObject({ arguments: '{"path":"sword"}', check: "send-anyway" }));
  });

  it("deleted call frees its name", async () => {
    const { stores, bridge } = await openSavedTab("mine");
    await screen.findByRole("button", { name: /^mine/ });
    const [call] = (await bridge.call("saved_calls", { member: null, tool: null })).calls;
    act(() => stores.history.saved.remove(call!));
    await act(() => stores.history.saved.save("forge", "heat", "mine", "{}", "keep"));
    expect(await names(bridge)).toEqual(["mine"]);
  });

  it("show database trouble", async () => {
    const { bridge, stores } = openWindow({ members: [forge()] });
    bridge.history.trouble = { code: "history-full", message: "There is no room.", hint: "Make some.", member: null };
    act(() => stores.navigation.openHistory("saved"));
    expect(textOf(await screen.findByTestId("history-trouble"))).toMatchInlineSnapshot(`"There is no room. history-fullMake some."`);
  });
});
