import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { FakeBridge } from "../bridge/fake";
import { openWindow } from "../testing/open";
import { textOf } from "../testing/text";
import { forge, unfit } from "./testing";
import { UNDO_MS } from "./savedBook";

afterEach(() => {
  vi.useRealTimers();
});

function save(bridge: FakeBridge, name: string, tool = "heat", args = '{"path":"sword"}') {
  return bridge.call("save_call", { member: "forge", tool, name, arguments: args, existing: "keep" });
}

const names = async (bridge: FakeBridge) =>
  (await bridge.call("saved_calls", { member: null, tool: null })).calls.map(({ name }) => name);

async function openSavedTab(...saved: string[]) {
  const opened = openWindow({ members: [forge()] });
  for (const name of saved) await save(opened.bridge, name);
  act(() => opened.house.dock.open("saved"));
  await screen.findByTestId("saved-panel");
  return opened;
}

const field = () => screen.findByRole("textbox", { name: /path/ });

describe("saving by its key", () => {
  it("keeps what the form holds under a name, also what was typed last", async () => {
    const { user, bridge, house } = openWindow({ members: [forge()] });
    act(() => house.openTool("forge", "heat"));
    await user.type(await field(), "horseshoe");
    await user.keyboard("{Control>}s{/Control}");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "for the mare{Enter}");
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Name" })).toBeNull());
    const { calls } = await bridge.call("saved_calls", { member: "forge", tool: "heat" });
    expect(calls).toEqual([expect.objectContaining({ name: "for the mare", arguments: '{"path":"horseshoe"}' })]);
  });

  it("keeps the name as far as it was typed, and the focus, while the palette lies above", async () => {
    const { user, house } = openWindow({ members: [forge()] });
    act(() => house.openTool("forge", "heat"));
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

  it("says by a notice why a call was not kept whose page is gone by then", async () => {
    const { user, house, bridge } = openWindow({ members: [forge()] });
    const call = bridge.call.bind(bridge);
    let refuse: () => void = () => undefined;
    const held = new Promise<never>((_, reject) => { refuse = () => reject(new Error("the disk is full")); });
    bridge.call = (name, request) => (name === "save_call" ? held : call(name, request));
    act(() => house.openTool("forge", "heat"));
    await user.type(await field(), "horseshoe");
    await user.keyboard("{Control>}s{/Control}");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "for the mare{Enter}");
    act(() => house.openDoctor());
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Name" })).toBeNull());
    expect(house.hall.notices.get()).toEqual([]);
    act(() => refuse());
    expect(await screen.findByText(/the disk is full/)).toBeVisible();
  });

  it("says at the field that a name is taken, and replaces the call when told to", async () => {
    const { user, bridge, house } = openWindow({ members: [forge()] });
    await save(bridge, "mine", "heat", '{"path":"old"}');
    act(() => house.openTool("forge", "heat"));
    await user.type(await field(), "new");
    await user.keyboard("{Control>}s{/Control}");
    const name = await screen.findByRole("textbox", { name: "Name" });
    await user.type(name, "mine{Enter}");
    expect(await screen.findByText(/has a saved call of the name "mine"/)).toBeVisible();
    expect(name).toHaveAttribute("aria-invalid", "true");
    await user.click(screen.getByRole("button", { name: "Replace it" }));
    await waitFor(async () => {
      const { calls } = await bridge.call("saved_calls", { member: null, tool: null });
      expect(calls).toEqual([expect.objectContaining({ name: "mine", arguments: '{"path":"new"}' })]);
    });
  });

  it("needs a name", async () => {
    const { user, bridge, house } = openWindow({ members: [forge()] });
    act(() => house.openTool("forge", "heat"));
    await field();
    await user.keyboard("{Control>}s{/Control}");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "  {Enter}");
    expect(await screen.findByText(/It needs a name/)).toBeVisible();
    expect(await names(bridge)).toEqual([]);
  });
});

describe("saved calls", () => {
  it("tool head and palette open saved calls", async () => {
    const { user, bridge, house } = openWindow({ members: [forge()] });
    await save(bridge, "for the mare");
    act(() => house.openTool("forge", "heat"));
    await field();
    await user.click(screen.getByRole("button", { name: "Saved calls of heat" }));
    await user.click(await screen.findByRole("menuitem", { name: "for the mare" }));
    await waitFor(async () => expect(await field()).toHaveValue("sword"));

    act(() => house.openMember("forge"));
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "mare");
    await user.click(await screen.findByRole("option", { name: /for the mare/ }));
    expect(house.place.get()).toEqual({ kind: "tool", member: "forge", tool: "heat" });
  });

  it("are run at once", async () => {
    const { user, bridge } = await openSavedTab("mine");
    await user.click(await screen.findByRole("button", { name: "Run mine" }));
    await waitFor(() => expect(bridge.asked.find(({ name }) => name === "invoke_tool")?.request).toMatchObject({ arguments: '{"path":"sword"}', check: "refuse" }));
  });

  it("are walked by arrows, renamed in their place, and refuse a taken name there", async () => {
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

  it("are removed without a question, and come back while that can be undone", async () => {
    const { user, bridge } = await openSavedTab("first", "second");
    await waitFor(() => expect(screen.getByRole("button", { name: /^first/ })).toHaveFocus());
    await user.keyboard("{Delete}");
    await waitFor(() => expect(screen.queryByRole("button", { name: /^first forge/ })).toBeNull());
    expect(await names(bridge)).toEqual(["first", "second"]);
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(await screen.findByRole("button", { name: /^first forge/ })).toBeVisible();
  });

  it("are gone for good after a few seconds, but not while one is at the button", async () => {
    const { house, bridge } = await openSavedTab("first");
    await screen.findByRole("button", { name: /^first/ });
    const [call] = (await bridge.call("saved_calls", { member: null, tool: null })).calls;
    vi.useFakeTimers();
    act(() => house.history.saved.remove(call!));
    act(() => screen.getByRole("button", { name: "Undo" }).focus());
    await act(() => vi.advanceTimersByTimeAsync(10 * UNDO_MS));
    expect(bridge.asked.map(({ name }) => name)).not.toContain("delete_saved_call");
    act(() => screen.getByRole("button", { name: "Undo" }).blur());
    await act(() => vi.advanceTimersByTimeAsync(UNDO_MS));
    expect(bridge.asked.map(({ name }) => name)).toContain("delete_saved_call");
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });

  it("go one at a press, also while the key is held, and all come back by one button", async () => {
    const { user } = await openSavedTab("a", "b", "c", "d", "e");
    await waitFor(() => expect(screen.getByRole("button", { name: /^a forge/ })).toHaveFocus());
    await user.keyboard("{Delete>5/}");
    expect(screen.queryByRole("button", { name: /Undo all/ })).toBeNull();
    await user.keyboard("{Delete}{Delete}{Delete}");
    await user.click(screen.getByRole("button", { name: "Undo all (4)" }));
    for (const name of ["a", "b", "c", "d", "e"]) expect(screen.getByRole("button", { name: new RegExp(`^${name} forge`) })).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: /^a forge/ })).toHaveFocus());
  });

  it("do not come back because the window was closed before their time was over", async () => {
    const { user, bridge } = await openSavedTab("first", "second", "third");
    await waitFor(() => expect(screen.getByRole("button", { name: /^first/ })).toHaveFocus());
    await user.keyboard("{Delete}{Delete}");
    act(() => void window.dispatchEvent(new Event("pagehide")));
    await waitFor(async () => expect(await names(bridge)).toEqual(["third"]));
  });

  it("keep the focus when a removal is undone or carried out", async () => {
    const { user } = await openSavedTab("first", "second");
    await waitFor(() => expect(screen.getByRole("button", { name: /^first/ })).toHaveFocus());
    await user.keyboard("{Delete}");
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(screen.getByRole("button", { name: /^first forge/ })).toHaveFocus());
    await user.keyboard("{Delete}");
    await user.click(screen.getByRole("button", { name: "Remove first now" }));
    await waitFor(() => expect(screen.getByRole("button", { name: /^second forge/ })).toHaveFocus());
  });

  it("can be sent anyway once the check has refused them", async () => {
    const { user, bridge, house } = openWindow({ members: [forge()], onCall: () => Promise.resolve(unfit()) });
    await save(bridge, "mine");
    act(() => house.dock.open("saved"));
    await user.click(await screen.findByRole("button", { name: "Run mine" }));
    await user.click(await screen.findByRole("button", { name: "Send mine anyway" }));
    await waitFor(() => expect(bridge.asked.findLast(({ name }) => name === "invoke_tool")?.request).toMatchObject({ arguments: '{"path":"sword"}', check: "send-anyway" }));
  });

  it("leave their name free at once when they are removed", async () => {
    const { house, bridge } = await openSavedTab("mine");
    await screen.findByRole("button", { name: /^mine/ });
    const [call] = (await bridge.call("saved_calls", { member: null, tool: null })).calls;
    act(() => house.history.saved.remove(call!));
    await act(() => house.history.saved.save("forge", "heat", "mine", "{}", "keep"));
    expect(await names(bridge)).toEqual(["mine"]);
  });

  it("say what is wrong with the database", async () => {
    const { bridge, house } = openWindow({ members: [forge()] });
    bridge.history.trouble = { code: "history-full", message: "There is no room.", hint: "Make some.", member: null };
    act(() => house.dock.open("saved"));
    expect(textOf(await screen.findByTestId("history-trouble"))).toMatchInlineSnapshot(`"There is no room. history-fullMake some."`);
  });
});
