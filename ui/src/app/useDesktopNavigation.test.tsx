import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { Refusal } from "../ipc/bridge";
import type { LinkedPage, LinkedPlace } from "../ipc/outside";
import { chooseMore, forge, record } from "../features/history/testing";
import { fill, waitingForge } from "../features/settings/secrets/states";
import { openWindow } from "../testing/open";
import { textOf } from "../testing/text";

const report = {
  code: "link-invalid" as const,
  message: "Guild Hall can't open the link \"guildhall://x\": it names no member, tool or page.",
  hint: "Links are guildhall://member/NAME.",
  member: null,
};

describe("what is shown from outside the page", () => {
  it("goes to a member, to its review and to a tool, and calls nothing", () => {
    const { bridge, stores } = openWindow();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "member", member: "mongodb" } }));
    expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "mongodb" });
    act(() => bridge.outside.show({ kind: "place", place: { kind: "review", member: "mongodb" } }));
    expect(stores.navigation.place.get()).toEqual({ kind: "member", member: "mongodb", first: "review" });
    act(() => bridge.outside.show({ kind: "place", place: { kind: "tool", member: "filesystem", tool: "edit_file" } }));
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "filesystem", tool: "edit_file" });
    const acted = bridge.asked.map(({ name }) => name).filter((name) => /invoke|start_|stop_|restart|set_|change_/.test(name));
    expect(acted).toEqual([]);
  });

  it.each<[LinkedPage, object]>([
    ["agents", { kind: "agents", tab: "gateway" }],
    ["approvals", { kind: "agents", tab: "approvals" }],
    ["discovery", { kind: "discovery" }],
    ["doctor", { kind: "doctor" }],
    ["secrets", { kind: "secrets" }],
    ["settings", { kind: "settings" }],
  ])("opens the page %s", (page, place) => {
    const { bridge, stores } = openWindow();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page } }));
    expect(stores.navigation.place.get()).toMatchObject(place);
  });

  it.each<[LinkedPage, string]>([
    ["adding", "Paste"],
    ["found", "From other apps"],
  ])("opens the Add member dialog for %s", async (page, way) => {
    const { bridge } = openWindow();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page } }));
    expect(await screen.findByRole("tab", { name: way })).toHaveAttribute("aria-selected", "true");
    await waitFor(() => expect(document.querySelector("[data-found]")).not.toBeNull());
  });

  it("opens the palette and the history over whatever page there is", async () => {
    const { bridge, stores } = openWindow();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "palette" } }));
    await screen.findByTestId("palette-input");
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "history" } }));
    expect(stores.layers.has("palette")).toBe(false);
    expect(stores.navigation.place.get()).toEqual({ kind: "history", tab: "calls" });
  });

  it.each(["keys", "about", "bundle", "palette", "warnings"] as const)("is in sight where the layer %s lay over the page", async (layer) => {
    const { bridge, stores } = openWindow();
    const show = (place: LinkedPlace) => act(() => bridge.outside.show({ kind: "place", place }));
    for (const place of [
      { kind: "member", member: "mongodb" },
      { kind: "page", page: "settings" },
    ] as const) {
      act(() => stores.layers.open(layer));
      show(place);
      expect(stores.layers.shown.get()).toEqual([]);
    }
    expect(await screen.findByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    act(() => stores.layers.open(layer));
    show({ kind: "page", page: "palette" });
    expect(stores.layers.shown.get()).toEqual(["palette"]);
  });

  it.each<LinkedPage>(["secrets", "settings"])("leaves undone what the page asks before it does it, where the page %s is shown", async (page) => {
    const window = openWindow(waitingForge());
    const { bridge, stores, user } = window;
    fill(bridge);
    act(() => stores.navigation.openSecrets());
    await user.click(await screen.findByRole("button", { name: "Remove OLD_KEY" }));
    expect(await screen.findByRole("alertdialog")).toBeVisible();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page } }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(stores.navigation.place.get()).toMatchObject({ kind: page });
    act(() => stores.navigation.openSecrets());
    expect(await screen.findByRole("button", { name: "Remove OLD_KEY" })).toBeVisible();
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(bridge.asked.map(({ name }) => name)).not.toContain("remove_secret");
  });

  it.each(["history", "settings"] as const)("removes no calls where the question for that lies open, asked from %s", async (from) => {
    const { bridge, stores, user } = openWindow({ members: [forge()] });
    act(() => void record(bridge));
    if (from === "history") {
      act(() => stores.navigation.openHistory());
      await screen.findByTestId("history-list");
      await chooseMore(user, "Delete all calls…");
    } else {
      act(() => stores.navigation.openSettings("privacy"));
      await user.click(await screen.findByRole("button", { name: "Clear history…" }));
    }
    expect(await screen.findByTestId("clear-question")).toBeVisible();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "settings" } }));
    await waitFor(() => expect(screen.queryByTestId("clear-question")).toBeNull());
    expect(await screen.findByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    expect(bridge.asked.map(({ name }) => name)).not.toContain("clear_history");
  });

  it.each([["remove_secret", "In progress"], ["clear_history", "Deleting"]] as const)("reports a failed deletion on another page: %s", async (command, busy) => {
    const { bridge, stores, user } = openWindow(waitingForge());
    fill(bridge);
    act(() => void record(bridge));
    const call = bridge.call.bind(bridge);
    let fail: () => void = () => undefined;
    const failed = new Promise<never>((_, reject) => { fail = () => reject(new Refusal(report)); });
    bridge.call = (name, request) => (name === command ? failed : call(name, request));
    if (command === "remove_secret") {
      act(() => stores.navigation.openSecrets());
      await user.click(await screen.findByRole("button", { name: "Remove OLD_KEY" }));
      await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Remove" }));
    } else {
      act(() => stores.navigation.openSettings("privacy"));
      await user.click(await screen.findByRole("button", { name: "Clear history…" }));
      await user.click(await screen.findByRole("button", { name: "Delete 1 call" }));
    }
    await waitFor(() => expect(screen.getByRole("button", { name: /^(Remove|Delete)/ })).toHaveAttribute("aria-description", expect.stringContaining(busy)));
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "found" } }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(stores.hall.notices.get()).toEqual([]);
    act(() => fail());
    await waitFor(() => expect(stores.hall.notices.get()).toMatchObject([{ report }]));
  });

  it("opens the palette over what the page asks, and the focus is there again once it is closed", async () => {
    const { bridge, stores, user } = openWindow(waitingForge());
    fill(bridge);
    act(() => stores.navigation.openSecrets());
    await user.click(await screen.findByRole("button", { name: "Remove OLD_KEY" }));
    const question = await screen.findByRole("alertdialog");
    const keep = within(question).getByRole("button", { name: "Cancel" });
    await waitFor(() => expect(keep).toHaveFocus());
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "palette" } }));
    const field = await screen.findByTestId("palette-input");
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard("{Escape}");
    await waitFor(() => expect(keep).toHaveFocus());
    expect(screen.queryByTestId("palette-input")).toBeNull();
    await user.click(keep);
    await waitFor(() => expect(question).not.toBeInTheDocument());
    expect(bridge.asked.map(({ name }) => name)).not.toContain("remove_secret");
  });

  it("leaves what was typed into the palette where the palette is asked for", async () => {
    const { bridge, user } = openWindow();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "read");
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "palette" } }));
    expect(screen.getByTestId("palette-input")).toHaveValue("read");
  });

  it("goes to what a member asks, the oldest first, and to the member once that is answered", () => {
    const { bridge, stores } = openWindow();
    const mode = { kind: "form" as const, schema: '{"type":"object","properties":{}}', notes: [] };
    const ask = (member: string, message: string) => bridge.elicit({ member, tool: null, call: null, message, mode });
    act(() => {
      void ask("filesystem", "Which folder?");
      void ask("mongodb", "Which database?");
      void ask("mongodb", "Which collection?");
    });
    const show = () => act(() => bridge.outside.show({ kind: "place", place: { kind: "question", member: "mongodb" } }));
    show();
    const [, oldest, other] = [...stores.hall.state.get().elicitations.keys()];
    expect(stores.navigation.place.get()).toEqual({ kind: "question", member: "mongodb", id: oldest });
    for (const id of [oldest!, other!]) act(() => bridge.emit({ kind: "elicitation_ended", id }));
    show();
    expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "mongodb" });
  });

  it("says of a link that leads nowhere why", async () => {
    const { bridge, stores } = openWindow();
    const before = stores.navigation.place.get();
    act(() => bridge.outside.show({ kind: "refused", report }));
    expect(textOf(await screen.findByTestId("notice"))).toMatchInlineSnapshot(`"Guild Hall can't open the link "guildhall://x": it names no member, tool or page."`);
    expect(stores.navigation.place.get()).toBe(before);
  });

  it("says of a member that is gone that it is", async () => {
    const { bridge } = openWindow();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "member", member: "long-gone" } }));
    expect(await screen.findByRole("heading", { name: /long-gone/ })).toBeVisible();
  });
});
