import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { AdoptBrought, BroughtServers } from "../../ipc/bindings";
import type { MockBridge, MockOptions } from "../../ipc/mock";
import { mockPlace, mockServer } from "../../ipc/mock/found";
import { mockMember, mockView } from "../../ipc/mock/members";
import { fill, waitingForge } from "../settings/secrets/states";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { BROKEN, several } from "./states";

async function openAdding(prepare: (bridge: MockBridge) => void = () => undefined, options: MockOptions = {}) {
  const window = openWindow({ members: [mockMember(mockView("git"), [])], picks: "/home/me/page.md", ...options });
  prepare(window.bridge);
  act(() => window.stores.navigation.openAdding("paste"));
  await screen.findByRole("textbox", { name: "Config, command or URL" });
  return window;
}

const field = () => screen.getByRole("textbox", { name: "Config, command or URL" });
const box = (name: RegExp) => screen.findByRole("checkbox", { name });
const adoptions = (bridge: MockBridge) =>
  bridge.asked.flatMap(({ name, request }) => (name === "adopt_brought" ? [request as AdoptBrought] : []));

/** A response with one server in the pasted text. */
const one = (changes: Parameters<typeof mockServer>[1] = {}): BroughtServers => ({
  servers: [mockServer("docs", { places: [mockPlace({ program: "pasted", title: "Pasted text", path: "", line: 3, name: "docs" })], ...changes })],
  members: [],
  leftOut: [],
});

const paste = async (user: ReturnType<typeof openWindow>["user"], text: string) => {
  await user.click(field());
  await user.paste(text);
};

describe("the Add member dialog", () => {
  it("opens from roster, Home and palette", async () => {
    const { user, stores } = openWindow({ members: [] });
    const dialog = () => screen.findByRole("dialog", { name: "Add member" });
    const close = () => act(() => stores.layers.close("adding"));
    const roster = within(await screen.findByRole("region", { name: "Roster" }));
    for (const button of [
      () => roster.findByRole("button", { name: "Add member" }),
      () => roster.findByRole("button", { name: "Add member…" }),
      () => within(screen.getByRole("main")).findByRole("button", { name: "Add member" }),
    ]) {
      await user.click(await button());
      expect(await dialog()).toBeVisible();
      close();
    }
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">add member");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("tab", { name: "Paste" })).toHaveAttribute("aria-selected", "true");
    await user.click(screen.getByRole("tab", { name: "From other apps" }));
    expect(await screen.findByTestId("found-says")).toBeInTheDocument();
  });

  it("closes by Escape and returns the focus", async () => {
    const { user } = openWindow({ members: [mockMember(mockView("git"), [])] });
    const opener = await screen.findByRole("button", { name: "Add member" });
    await user.click(opener);
    await waitFor(() => expect(field()).toHaveFocus());
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() => expect(opener).toHaveFocus());
  });

  it("asks before it discards typed text", async () => {
    const { user, stores } = await openAdding();
    await user.type(field(), "npx");
    await user.keyboard("{Escape}");
    const question = within(await screen.findByRole("alertdialog", { name: "Discard your input?" }));
    await user.click(question.getByRole("button", { name: "Keep editing" }));
    expect(field()).toHaveValue("npx");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Discard" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    act(() => stores.navigation.openAdding());
    await waitFor(() => expect(field()).toHaveValue(""));
  });

  it("keeps typed text when Back closes it", async () => {
    const { user, stores } = await openAdding();
    await user.type(field(), "npx");
    await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    expect(screen.queryByRole("dialog")).toBeNull();
    act(() => stores.navigation.openAdding());
    expect(field()).toHaveValue("npx");
  });

  it("previews pasted text and adds it on a click", async () => {
    const { user, bridge, stores } = await openAdding((bridge) => {
      bridge.adding.contents = one();
    });
    await paste(user, "npx -y docs");
    expect(textOf(await screen.findByTestId("found-launch"))).toMatchInlineSnapshot(`"Runs: npx -y @modelcontextprotocol/server-docs"`);
    expect(bridge.adding.brought).toEqual([{ kind: "text", text: "npx -y docs" }]);
    expect(textOf(screen.getByRole("list", { name: "Files that have docs" }))).toMatchInlineSnapshot(`"Pasted text, line 3"`);
    expect(textOf(screen.getByTestId("adding-says"))).toMatchInlineSnapshot(`"1 server"`);
    expect(await box(/Import docs/)).toBeChecked();
    expect(adoptions(bridge)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Add 1 member" }));
    await waitFor(() => expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "docs" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(await screen.findByText("docs was added")).toBeVisible();
    expect(adoptions(bridge)).toEqual([{ brought: { kind: "text", text: "npx -y docs" }, servers: [{ id: "id-docs", name: "docs", inputs: [], keepCommand: false }] }]);
    expect(stores.adding.now.get()).toBeNull();
  });

  it("selects none of several and asks for values", async () => {
    const { user, bridge } = await openAdding((bridge) => {
      bridge.adding.contents = several();
    });
    await paste(user, "x");
    expect(await box(/Import tower/)).not.toBeChecked();
    expect(textOf(screen.getByTestId("paste-left-out"))).toMatchInlineSnapshot(`"Left out, line 2: \`npm install\` doesn't start a server."`);
    await user.click(await box(/Import tower/));
    await user.click(screen.getByRole("button", { name: "Add 1 member" }));
    const key = screen.getByLabelText(/TOWER_KEY: the text has/);
    expect(key).toHaveFocus();
    expect(adoptions(bridge)).toEqual([]);
    await user.type(key, "k-1");
    await user.click(screen.getByRole("button", { name: "Add 1 member" }));
    await waitFor(() => expect(adoptions(bridge)[0]?.servers).toEqual([{ id: "id-tower", name: "tower", inputs: [{ id: "TOWER_KEY", value: "k-1" }], keepCommand: false }]));
  });

  it("compares a server with the member of its name", async () => {
    const { user } = await openAdding((bridge) => {
      bridge.adding.contents = several();
    });
    await user.type(field(), "x");
    const table = within(await screen.findByRole("region", { name: "Differences of git" }));
    expect(table.getByRole("columnheader", { name: "Member git" })).toBeVisible();
    expect(screen.getByText("Differs from git")).toBeVisible();
  });

  it("unreadable_text_shows_line_and_fix", async () => {
    const { user, bridge } = await openAdding((bridge) => {
      bridge.adding.trouble = BROKEN;
    });
    await user.type(field(), "x");
    expect(await screen.findByText(/line 3, column 5/)).toBeVisible();
    expect(screen.getByText(/Put a comma/)).toBeVisible();
    expect(screen.queryByTestId("found-server")).toBeNull();
    bridge.adding.trouble = null;
    await user.type(field(), "y");
    expect(await screen.findByTestId("found-server")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Clear" }));
    expect(field()).toHaveValue("");
    expect(field()).toHaveFocus();
    expect(screen.queryByTestId("found-server")).toBeNull();
  });

  it("reads a chosen and a dropped file", async () => {
    const { user, bridge, stores } = await openAdding();
    await user.click(screen.getByRole("button", { name: "Choose a file…" }));
    expect(await screen.findByTestId("adding-says")).toHaveTextContent("1 server in /home/me/page.md");
    act(() => stores.navigation.openFound());
    act(() => bridge.drop({ kind: "over" }));
    expect(textOf(screen.getByTestId("drop-mark"))).toMatchInlineSnapshot(`"Drop a config file or .mcpb bundle to preview it"`);
    act(() => bridge.drop({ kind: "left" }));
    expect(screen.queryByTestId("drop-mark")).toBeNull();
    act(() => bridge.drop({ kind: "dropped", paths: ["/home/me/.mcp.json"] }));
    await waitFor(() => expect(screen.getByTestId("adding-says")).toHaveTextContent("1 server in /home/me/.mcp.json"));
    expect(bridge.adding.brought).toEqual([
      { kind: "file", path: "/home/me/page.md" },
      { kind: "file", path: "/home/me/.mcp.json" },
    ]);
    expect(adoptions(bridge)).toEqual([]);
  });

  it("refuses several dropped files, and none", async () => {
    const { bridge } = await openAdding();
    act(() => bridge.drop({ kind: "dropped", paths: ["/a.json", "/b.json"] }));
    expect(textOf(await screen.findByTestId("trouble"))).toMatchInlineSnapshot(`"Drop one file at a time. snippet-unreadableEach file is previewed first."`);
    act(() => bridge.drop({ kind: "dropped", paths: [] }));
    expect(textOf(await screen.findByTestId("trouble"))).toMatchInlineSnapshot(`"That isn't a file. snippet-unreadableDrop a file, or paste the text."`);
    expect(bridge.adding.brought).toEqual([]);
  });

  it("opens a dropped bundle in its panel", async () => {
    const { bridge, stores } = await openAdding();
    act(() => bridge.drop({ kind: "dropped", paths: ["/home/me/Tower.MCPB"] }));
    expect(stores.navigation.addingTab.get()).toBe("bundle");
    await waitFor(() => expect(bridge.asked).toContainEqual({ name: "look_into_mcpb", request: { path: "/home/me/Tower.MCPB" } }));
    expect(bridge.adding.brought).toEqual([]);
  });

  it.each(["palette", "keys", "bundle"] as const)("replaces the open layer %s for a dropped file", async (layer) => {
    const { bridge, stores } = openWindow({ members: [mockMember(mockView("git"), [])] });
    act(() => stores.layers.open(layer));
    act(() => bridge.drop({ kind: "over" }));
    act(() => bridge.drop({ kind: "left" }));
    expect(stores.layers.shown.get()).toEqual([layer]);
    act(() => bridge.drop({ kind: "dropped", paths: ["/home/me/tower.mcpb"] }));
    expect(stores.layers.shown.get()).toEqual(["adding"]);
    expect(await screen.findByRole("tab", { name: ".mcpb bundle" })).toHaveAttribute("aria-selected", "true");
  });

  it("cancels an open question for a dropped file", async () => {
    const { user, bridge, stores } = openWindow(waitingForge());
    fill(bridge);
    act(() => stores.navigation.openSecrets());
    await user.click(await screen.findByRole("button", { name: "Remove OLD_KEY" }));
    expect(await screen.findByRole("alertdialog")).toBeVisible();
    act(() => bridge.drop({ kind: "dropped", paths: ["/home/me/.mcp.json"] }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(await screen.findByRole("tab", { name: "Paste" })).toHaveAttribute("aria-selected", "true");
    expect(bridge.asked.map(({ name }) => name)).not.toContain("remove_secret");
  });

  it("ignores a late answer", async () => {
    const { stores, bridge } = await openAdding();
    const answers: ((servers: BroughtServers) => void)[] = [];
    bridge.adding.read = () => new Promise((resolve) => answers.push(resolve));
    const first = stores.adding.bring({ kind: "text", text: "first" });
    const second = stores.adding.bring({ kind: "text", text: "second" });
    await waitFor(() => expect(answers).toHaveLength(2));
    await act(async () => {
      answers[1]?.(one());
      await second;
    });
    await act(async () => {
      answers[0]?.(several());
      await first;
    });
    expect(stores.adding.now.get()?.servers).toEqual(one());
  });
});
