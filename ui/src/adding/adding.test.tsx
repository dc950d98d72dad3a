import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { AdoptBrought, BroughtServers } from "../bridge/bindings";
import type { FakeBridge, FakeOptions } from "../bridge/fake";
import { fakePlace, fakeServer } from "../bridge/fake/found";
import { fakeMember, fakeView } from "../bridge/fake/members";
import { fill, waitingForge } from "../secrets/states";
import { openWindow } from "../testing/open";
import { textOf } from "../testing/text";
import { BROKEN, several } from "./states";

async function openAdding(prepare: (bridge: FakeBridge) => void = () => undefined, options: FakeOptions = {}) {
  const window = openWindow({ members: [fakeMember(fakeView("git"), [])], picks: "/home/me/page.md", ...options });
  prepare(window.bridge);
  act(() => window.house.openAdding("paste"));
  await screen.findByRole("form", { name: "Paste" });
  return window;
}

const field = () => screen.getByRole("textbox", { name: "Config, command or URL" });
const show = () => screen.getByRole("button", { name: "Preview" });
const box = (name: RegExp) => screen.findByRole("checkbox", { name });
const adoptions = (bridge: FakeBridge) =>
  bridge.asked.flatMap(({ name, request }) => (name === "adopt_brought" ? [request as AdoptBrought] : []));

/** One server, so that nothing but it can be meant. */
const one = (changes: Parameters<typeof fakeServer>[1] = {}): BroughtServers => ({
  servers: [fakeServer("docs", { places: [fakePlace({ program: "pasted", title: "Pasted text", path: "", line: 3, name: "docs" })], ...changes })],
  members: [],
  leftOut: [],
});

describe("the page for adding members", () => {
  it("is reached from the roster's head, the empty roster, the welcome page, the palette and the found servers", async () => {
    const { user, house } = openWindow({ members: [] });
    const welcome = () => act(() => house.place.set({ kind: "welcome" }));
    const roster = within(await screen.findByRole("region", { name: "Roster" }));
    for (const button of [
      () => roster.findByRole("button", { name: "Add member" }),
      () => roster.findByRole("button", { name: "Add member…" }),
      () => within(screen.getByRole("main")).findByRole("button", { name: "Add member" }),
    ]) {
      await user.click(await button());
      expect(await screen.findByRole("heading", { name: "Add member" })).toBeVisible();
      welcome();
    }
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">add member");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("tab", { name: "Paste" })).toHaveAttribute("aria-selected", "true");
    act(() => house.openFound());
    await user.click(await within(screen.getByRole("main")).findByRole("button", { name: "Add member…" }));
    await user.click(await within(screen.getByRole("main")).findByRole("button", { name: "Import servers" }));
    expect(house.place.get()).toEqual({ kind: "found" });
  });

  it("reads what is pasted at once, shows all that it would run, and adopts it by a yes alone", async () => {
    const { user, bridge, house } = await openAdding((bridge) => {
      bridge.adding.contents = one();
    });
    await user.click(field());
    await user.paste("npx -y docs");
    expect(textOf(await screen.findByTestId("found-launch"))).toMatchInlineSnapshot(`"Runs: npx -y @modelcontextprotocol/server-docs"`);
    expect(bridge.adding.brought).toEqual([{ kind: "text", text: "npx -y docs" }]);
    expect(textOf(screen.getByRole("list", { name: "Files that have docs" }))).toMatchInlineSnapshot(`"Pasted text, line 3"`);
    expect(screen.getByTestId("adding-says")).toHaveTextContent("1 server.");
    expect(await box(/Import docs/)).toBeChecked();
    expect(adoptions(bridge)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Import 1 server" }));
    expect(await screen.findByRole("heading", { name: "1 server imported." })).toHaveFocus();
    expect(adoptions(bridge)).toEqual([{ brought: { kind: "text", text: "npx -y docs" }, servers: [{ id: "id-docs", name: "docs", inputs: [], keepCommand: false }] }]);
    await waitFor(() => expect(house.hall.state.get().byName.has("docs")).toBe(true));
    expect(textOf(screen.getByTestId("adding-says"))).toMatchInlineSnapshot(`"1 server, none new."`);
  });

  it("ticks none of several, and asks for what they need", async () => {
    const { user, bridge } = await openAdding((bridge) => {
      bridge.adding.contents = several();
    });
    await user.type(field(), "x");
    await user.click(show());
    expect(await box(/Import tower/)).not.toBeChecked();
    expect(textOf(screen.getByTestId("paste-left-out"))).toMatchInlineSnapshot(`"Left out, line 2: \`npm install\` doesn't start a server."`);
    await user.click(await box(/Import tower/));
    await user.click(screen.getByRole("button", { name: "Import 1 server" }));
    const key = screen.getByLabelText(/TOWER_KEY: the text has/);
    expect(key).toHaveFocus();
    expect(adoptions(bridge)).toEqual([]);
    await user.type(key, "k-1");
    await user.click(screen.getByRole("button", { name: "Import 1 server" }));
    await screen.findByRole("heading", { name: "1 server imported." });
    expect(adoptions(bridge)[0]?.servers).toEqual([{ id: "id-tower", name: "tower", inputs: [{ id: "TOWER_KEY", value: "k-1" }], keepCommand: false }]);
  });

  it("shows a server beside the member of its name", async () => {
    const { user } = await openAdding((bridge) => {
      bridge.adding.contents = several();
    });
    await user.type(field(), "x{Control>}{Enter}{/Control}");
    await user.click(await screen.findByRole("button", { name: "Compare git with another one of this name" }));
    const table = within(screen.getByRole("region", { name: "Differences of git" }));
    expect(table.getByRole("columnheader", { name: "Member git" })).toBeVisible();
  });

  it("says where a text can't be read, and what to do", async () => {
    const { user, bridge } = await openAdding((bridge) => {
      bridge.adding.trouble = BROKEN;
    });
    await user.type(field(), "x");
    await user.click(show());
    expect(await screen.findByText(/line 3, column 5/)).toBeVisible();
    expect(screen.getByText(/Put a comma/)).toBeVisible();
    expect(screen.queryByTestId("found-server")).toBeNull();
    bridge.adding.trouble = null;
    await user.click(show());
    expect(await screen.findByTestId("found-server")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Clear" }));
    expect(field()).toHaveValue("");
    expect(field()).toHaveFocus();
    expect(screen.queryByTestId("found-server")).toBeNull();
  });

  it("reads a file that is chosen, or dropped on the window wherever one is", async () => {
    const { user, bridge, house } = await openAdding();
    await user.click(screen.getByRole("button", { name: "Choose a file…" }));
    expect(await screen.findByTestId("adding-says")).toHaveTextContent("1 server in /home/me/page.md.");
    act(() => house.openFound());
    act(() => bridge.drop({ kind: "over" }));
    expect(textOf(screen.getByTestId("drop-mark"))).toMatchInlineSnapshot(`"+ Drop a configuration or a bundle to see what it would run. Nothing is started by it."`);
    act(() => bridge.drop({ kind: "left" }));
    expect(screen.queryByTestId("drop-mark")).toBeNull();
    act(() => bridge.drop({ kind: "dropped", paths: ["/home/me/.mcp.json"] }));
    await waitFor(() => expect(screen.getByTestId("adding-says")).toHaveTextContent("1 server in /home/me/.mcp.json."));
    expect(bridge.adding.brought).toEqual([
      { kind: "file", path: "/home/me/page.md" },
      { kind: "file", path: "/home/me/.mcp.json" },
    ]);
    expect(adoptions(bridge)).toEqual([]);
  });

  it("says so when several files are dropped, or none", async () => {
    const { bridge } = await openAdding();
    act(() => bridge.drop({ kind: "dropped", paths: ["/a.json", "/b.json"] }));
    expect(textOf(await screen.findByTestId("trouble"))).toMatchInlineSnapshot(`"Drop one file at a time. snippet-unreadableEach file is previewed first."`);
    act(() => bridge.drop({ kind: "dropped", paths: [] }));
    expect(textOf(await screen.findByTestId("trouble"))).toMatchInlineSnapshot(`"That isn't a file. snippet-unreadableDrop a file, or paste the text."`);
    expect(bridge.adding.brought).toEqual([]);
  });

  it("leaves a bundle to its own tab", async () => {
    const { bridge, house } = await openAdding();
    act(() => bridge.drop({ kind: "dropped", paths: ["/home/me/Tower.MCPB"] }));
    expect(house.place.get()).toEqual({ kind: "adding", tab: "bundle" });
    await waitFor(() => expect(bridge.asked).toContainEqual({ name: "look_into_mcpb", request: { path: "/home/me/Tower.MCPB" } }));
    expect(bridge.adding.brought).toEqual([]);
  });

  it.each(["palette", "keys", "bundle"] as const)("is in sight where a file is opened while the layer %s lies over the page", async (layer) => {
    const { bridge, house } = openWindow({ members: [fakeMember(fakeView("git"), [])] });
    act(() => house.layers.open(layer));
    act(() => bridge.drop({ kind: "over" }));
    act(() => bridge.drop({ kind: "left" }));
    expect(house.layers.shown.get()).toEqual([layer]);
    act(() => bridge.drop({ kind: "dropped", paths: ["/home/me/tower.mcpb"] }));
    expect(house.layers.shown.get()).toEqual([]);
    expect(await screen.findByRole("tab", { name: "Bundle" })).toHaveAttribute("aria-selected", "true");
  });

  it("leaves a question undone where a file is opened", async () => {
    const { user, bridge, house } = openWindow(waitingForge());
    fill(bridge);
    act(() => house.openSecrets());
    await user.click(await screen.findByRole("button", { name: "Remove OLD_KEY" }));
    expect(await screen.findByRole("alertdialog")).toBeVisible();
    act(() => bridge.drop({ kind: "dropped", paths: ["/home/me/.mcp.json"] }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(await screen.findByRole("tab", { name: "Paste" })).toHaveAttribute("aria-selected", "true");
    expect(bridge.asked.map(({ name }) => name)).not.toContain("remove_secret");
  });

  it.each(["reviewed", "removed"] as const)("says that a server was installed until it is %s, and not when it has to be reviewed once more", async (how) => {
    const unreviewed = () => fakeMember(fakeView("git", { status: "unreviewed" }), []);
    const { bridge, house } = openWindow({ members: [] });
    act(() => house.adding.meanwhile.set({ said: "git is a member now.", installed: { member: "git", warning: null, staysCommand: [] } }));
    const mark = () => screen.queryByTestId("installed-mark");
    expect(mark()).toBeNull();
    act(() => bridge.add(unreviewed()));
    expect(mark()).toBeVisible();
    if (how === "reviewed") {
      act(() => void bridge.change("git", { status: "ready" }));
      expect(mark()).toBeNull();
      act(() => void bridge.change("git", { status: "unreviewed" }));
    } else {
      act(() => bridge.remove("git"));
      expect(mark()).toBeNull();
      act(() => bridge.add(unreviewed()));
    }
    expect(mark()).toBeNull();
    expect(await screen.findByRole("treeitem", { name: /git/ })).toBeVisible();
  });

  it("lets an answer that comes late change nothing", async () => {
    const { house, bridge } = await openAdding();
    const answers: ((servers: BroughtServers) => void)[] = [];
    bridge.adding.read = () => new Promise((resolve) => answers.push(resolve));
    const first = house.adding.bring({ kind: "text", text: "first" });
    const second = house.adding.bring({ kind: "text", text: "second" });
    await waitFor(() => expect(answers).toHaveLength(2));
    await act(async () => {
      answers[1]?.(one());
      await second;
    });
    await act(async () => {
      answers[0]?.(several());
      await first;
    });
    expect(house.adding.now.get()?.servers).toEqual(one());
  });
});
