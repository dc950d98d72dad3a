import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { AdoptServers, FoundState } from "../../../ipc/bindings";
import { mockFile, mockPlace, mockServer } from "../../../ipc/mock/found";
import { mockMember, mockView } from "../../../ipc/mock/members";
import { choose } from "../../../testing/choose";
import { openWindow } from "../../../testing/open";
import { descriptionOf, textOf } from "../../../testing/text";
import { MEMBER_NAME } from "../../../testing/labels";
import { runSystemCheck } from "../../settings/doctor/examination";
import { contained, fill, longOnes, many, mixed } from "./states";

const NAMED_FOLDERS = "Added folders";
const KEEP_COMMAND = "Keep the command unchanged";

async function openFound(prepare: (bridge: ReturnType<typeof openWindow>["bridge"]) => void = fill) {
  const window = openWindow({ members: [mockMember(mockView("git"), [])], picks: "/home/me/work/tower" });
  act(() => prepare(window.bridge));
  act(() => window.stores.navigation.openFound());
  await screen.findByTestId("found-says");
  return window;
}

type User = ReturnType<typeof openWindow>["user"];
type State = FoundState["kind"];

const rowsOf = (state: State) => screen.getAllByTestId("found-server").filter((row) => row.dataset["state"] === state);
const rowOf = (name: string) => screen.getAllByTestId("found-server").find((row) => row.textContent.startsWith(name))!;
/** Expands the details of a row. */
const details = async (user: User, row: HTMLElement) => {
  await user.click(within(row).getByRole("button", { name: /^Details of / }));
  return within(row);
};
const add = (count: number) => screen.getByRole("button", { name: count === 1 ? "Add 1 member" : `Add ${count} members` });
const box = (name: RegExp) => screen.findByRole("checkbox", { name });
const adoptions = (bridge: ReturnType<typeof openWindow>["bridge"]) =>
  bridge.asked.flatMap(({ name, request }) => (name === "adopt_servers" ? [(request as AdoptServers).servers] : []));

describe("servers of other apps", () => {
  it("open from palette, Home and roster", async () => {
    const { user, bridge, stores } = openWindow({ members: [] });
    expect(stores.found.count.get()).toBe(0);
    expect(screen.getByRole("button", { name: "Import from other apps" })).toBeVisible();
    act(() => fill(bridge));
    await waitFor(() => expect(stores.found.count.get()).toBe(4));
    expect(within(screen.getByRole("region", { name: "Roster" })).getByRole("button", { name: "Review 4 servers" })).toBeVisible();
    await user.click(within(screen.getByRole("main")).getByRole("button", { name: "Import from other apps (4)" }));
    expect(await screen.findByTestId("found-says")).toBeVisible();
    act(() => stores.layers.close("adding"));
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">found servers");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("tab", { name: "From other apps" })).toHaveAttribute("aria-selected", "true");
    expect(screen.getByRole("tab", { name: "From other apps" })).toHaveAccessibleDescription("Servers on this computer, 4 new");
  });

  it("are read again only while they are shown", async () => {
    const { bridge, stores } = await openFound();
    // The window reads the list once by itself, for the count of new servers.
    await waitFor(() => expect(bridge.readied).toEqual([true]));
    const reads = () => bridge.asked.filter(({ name }) => name === "found_servers").length;
    const before = reads();
    act(() => bridge.found.change([mockServer("alembic")]));
    expect(await box(/Import alembic/)).toBeVisible();
    const after = reads();
    expect(after).toBeGreaterThan(before);
    act(() => runSystemCheck(stores));
    act(() => bridge.found.change([mockServer("alembic"), mockServer("bellows")]));
    await waitFor(() => expect(stores.found.count.get()).toBe(2));
    expect(reads()).toBe(after);
  });

  it("are new again when their member is removed", async () => {
    const { bridge, stores } = await openFound();
    await waitFor(() => expect(rowsOf("adopted")).toHaveLength(1));
    const gone = () => {
      bridge.found.servers = bridge.found.servers.map((server) => (server.name === "git" ? { ...server, state: { kind: "new" } } : server));
      bridge.remove("git");
    };
    act(() => stores.layers.close("adding"));
    act(gone);
    await waitFor(() => expect(stores.found.count.get()).toBe(5));
    act(() => stores.navigation.openFound());
    expect(await box(/Import git/)).not.toBeChecked();
  });

  it("are read again when a removal is undone", async () => {
    const { bridge, stores } = await openFound();
    act(() => stores.layers.close("adding"));
    const reads = () => bridge.asked.filter(({ name }) => name === "found_servers").length;
    const before = reads();
    act(() => bridge.add(mockMember(mockView("forge"), [])));
    await waitFor(() => expect(reads()).toBe(before + 1));
  });

  it("show command, files and masked secrets in details", async () => {
    const { user } = await openFound();
    await box(/Import ledger/);
    const [forge, other] = rowsOf("new");
    expect(textOf(forge)).toMatchInlineSnapshot(`"forgealso in Cursoruvx --from forge-server==2.1.0 forgeDiffers from VS Code"`);
    for (const row of rowsOf("new")) await details(user, row);
    expect(textOf(within(forge!).getByTestId("found-launch"))).toMatchInlineSnapshot(`"Runs: uvx --from forge-server==2.1.0 forgeFORGE_TOKEN=••• secret"`);
    const places = within(within(forge!).getByRole("list", { name: "Files that have forge" })).getAllByRole("listitem");
    expect(places.map((place) => place.textContent)).toMatchInlineSnapshot(`
      [
        "Claude Desktop: /home/me/.config/Claude/claude_desktop_config.json, line 12, for the user",
        "Cursor: /home/me/.cursor/mcp.json, line 3, for the user",
      ]
    `);
    expect(textOf(within(other!).getByTestId("launch-folder"))).toMatchInlineSnapshot(`"in the folder /home/me/work/tower"`);
    const ledger = rowOf("ledger");
    expect(textOf(within(ledger).getByTestId("found-launch"))).toMatchInlineSnapshot(`"Address: https://ledger.example.com/mcpX-Api-Key: ••• secretNeeds 1 value from you"`);
    expect(textOf(within(ledger).getByTestId("launch-needs"))).toMatchInlineSnapshot(`"Needs 1 value from you"`);
    expect(textOf(within(ledger).getByTestId("server-approved"))).toMatchInlineSnapshot(`"Allowed there without asking: read_entry, list_entries"`);
    expect(textOf(within(ledger).getByTestId("server-left-out"))).toMatchInlineSnapshot(`"\`timeout\` is not carried over: 5 minutes for each call."`);
    expect(screen.getByRole("checkbox", { name: /Import ledger/ })).toHaveAccessibleDescription(/https:\/\/ledger\.example\.com\/mcp/);
  });

  it("show the state of each, and errors in details", async () => {
    const { user, stores } = await openFound();
    await box(/Import ledger/);
    for (const state of ["unusable", "gateway", "adopted"] as const) await details(user, rowsOf(state)[0]!);
    expect(textOf(rowsOf("unusable")[0])).toMatchInlineSnapshot(`"oldCan't be importedIt needs the transport \`ws\`, which Guild Hall doesn't support. found-server-unusable Find another address of the server.Zed: /home/me/.config/zed/settings.json, line 40, for the user"`);
    expect(textOf(rowsOf("gateway")[0])).toMatchInlineSnapshot(`"guild-hallGuild Hall itselfAddress: http://127.0.0.1:19999/mcpAuthorization: Bearer ••• secretClaude Desktop: /home/me/.config/Claude/claude_desktop_config.json, line 20, for the user"`);
    expect(screen.getAllByRole("checkbox", { name: /^Import / })).toHaveLength(4);
    await user.click(within(rowsOf("adopted")[0]!).getByRole("button", { name: "Open git" }));
    expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "git" });
  });

  it("are compared with others of their name", async () => {
    const { user } = await openFound();
    await box(/Import ledger/);
    expect(within(rowOf("forge")).getByText("Differs from VS Code")).toBeVisible();
    const table = (await details(user, rowOf("forge"))).getByRole("table");
    expect(within(table).getAllByRole("columnheader").map((head) => head.textContent)).toMatchInlineSnapshot(`
      [
        "Claude Desktop, Cursor (this one)",
        "VS Code",
      ]
    `);
    const rows = within(table).getAllByRole("row").slice(1);
    expect(rows.map((row) => row.textContent)).toMatchInlineSnapshot(`
      [
        "Arguments--from
      forge-server==2.1.0
      forgeforge-server
      --verbose",
        "Variable FORGE_TOKEN••• hidden, may differ••• hidden, may differ",
        "Foldernone/home/me/work/tower",
        "Variable FORGE_HEATnone900",
      ]
    `);
  });

  it("broken_file_shows_line_and_fix", async () => {
    await openFound();
    const broken = await screen.findByRole("region", { name: /1 file partly read/ });
    expect(textOf(broken)).toMatchInlineSnapshot(`"1 file partly readZed, for the user: /home/me/.config/zed/settings.jsonLine 31, column 5: a comma or \`}\` is missing. The servers before it were read. client-config-unreadable Fix that line. The file is read again when it changes."`);
    expect(rowsOf("new")).toHaveLength(4);
  });

  it("long_command_is_shown_whole_once_selected", async () => {
    const { user } = await openFound((bridge) => bridge.found.change(longOnes()));
    await user.click(await box(/^Import a server of a name/));
    const [first] = await screen.findAllByTestId("found-launch");
    expect(first).toHaveTextContent("⟨202E⟩gnp.exe");
    expect(first!.textContent.length).toBeGreaterThan(2_000);
    expect(first!.querySelector("code")).toHaveClass("whitespace-pre-wrap", "wrap-anywhere");
  });

  it("none_shows_searched_locations", async () => {
    await openFound(() => undefined);
    expect(await screen.findByTestId("found-nothing")).toBeVisible();
    const files = screen.getByTestId("found-files");
    expect(textOf(within(files).getByTestId("found-files-count"))).toMatchInlineSnapshot(`"0 of 3 files of 3 apps found"`);
    expect(within(files).getByText("/home/me/.codex/config.toml")).toBeVisible();
    expect(screen.getByTestId("found-ticked")).toBeEmptyDOMElement();
  });
});

describe("importing servers", () => {
  it("selects and starts nothing by itself", async () => {
    const { user, bridge } = await openFound();
    for (const one of await screen.findAllByRole("checkbox")) expect(one).not.toBeChecked();
    expect(textOf(screen.getByTestId("found-ticked"))).toMatchInlineSnapshot(`"0 of 6 selected"`);
    const adopt = screen.getByRole("button", { name: "Add members" });
    expect(adopt.getAttribute("aria-description")).toMatchInlineSnapshot(`"Select a server"`);
    await user.click(adopt);
    await user.click(await box(/Import scribe/));
    await details(user, rowOf("scribe"));
    const name = screen.getByLabelText(MEMBER_NAME);
    await user.type(name, "{Enter}");
    expect(adoptions(bridge)).toEqual([]);
    expect(bridge.asked.map(({ name: command }) => command)).not.toContain("start_member");
  });

  it("docker_command_becomes_container_unless_kept", async () => {
    const { user, bridge } = await openFound((bridge) => bridge.found.change(contained()));
    await user.click(await box(/Import stow/));
    await user.click(await box(/Import quay/));
    const [quay, stow] = [rowOf("quay"), rowOf("stow")];
    const container = within(quay).getByTestId("found-container");
    expect(textOf(within(container).getByRole("list", { name: "Container" }))).toMatchInlineSnapshot(`"image: ghcr.io/example/quay:2engine: dockernetwork: bridgemount /data: /srv/quay (read only)pull: missing"`);
    expect(within(container).getByRole("list", { name: "Environment in the container" })).toHaveTextContent("QUAY_TOKEN=••• secret");
    expect(textOf(within(container).getByTestId("launch-kept-outside"))).toMatchInlineSnapshot(`"Not passed to the container: DOCKER_CLI_HINTS. The entry sets this only for the container engine."`);
    expect(textOf(within(stow).getByRole("list", { name: "Reasons" }))).toMatchInlineSnapshot(`"\`stow-memory\` is a volume of the engine, not a folder"`);
    expect(within(stow).queryByRole("checkbox", { name: KEEP_COMMAND })).toBeNull();
    const keep = screen.getByRole("checkbox", { name: KEEP_COMMAND });
    expect(keep).not.toBeChecked();
    expect(descriptionOf(keep)).toMatchInlineSnapshot(`"The container of a command may keep running after the command ends. Guild Hall always removes a member's container, and runs it without extra capabilities or privileges. Keep the command for servers that need those."`);
    await user.click(keep);
    expect(within(quay).queryByTestId("found-container")).toBeNull();
    expect(textOf(within(quay).getByTestId("found-kept"))).toMatchInlineSnapshot(`"The command stays unchanged. Its container may keep running after the command ends."`);
    await user.click(add(2));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(adoptions(bridge)).toEqual([
      [
        { id: "id-stow", name: "stow", inputs: [], keepCommand: false },
        { id: "id-quay", name: "quay", inputs: [], keepCommand: true },
      ],
    ]);
  });

  it("adds selected servers under typed names", async () => {
    const { user, bridge, stores } = await openFound();
    bridge.found.warning = { code: "keychain-unanswered", message: "No keychain can be reached.", hint: "", member: null };
    await user.click(await box(/Import forge from Claude Desktop, Cursor/));
    await user.click(await box(/Import forge from VS Code/));
    const names = screen.getAllByLabelText(MEMBER_NAME);
    expect(names.map((field) => (field as HTMLInputElement).value)).toEqual(["forge", "forge-2"]);
    await user.clear(names[1]!);
    await user.type(names[1]!, "anvil");
    await user.click(add(2));
    const outcome = await screen.findByTestId("found-outcome");
    expect(adoptions(bridge)).toEqual([
      [
        { id: "id-forge", name: "forge", inputs: [], keepCommand: false },
        { id: "id-forge-too", name: "anvil", inputs: [], keepCommand: false },
      ],
    ]);
    await waitFor(() => expect(within(outcome).getByRole("heading", { name: "2 servers added." })).toHaveFocus());
    expect(textOf(within(outcome).getAllByTestId("outcome-adopted")[0])).toMatchInlineSnapshot(`"Added forge, in /home/me/.local/share/guild-hall/guild-members/forge; saved as secrets: FORGE_TOKEN"`);
    expect(outcome).toHaveTextContent("No keychain can be reached.");
    expect(await screen.findByText("2 members were added")).toBeInTheDocument();
    await waitFor(() => expect(rowsOf("adopted")).toHaveLength(3));
    expect(textOf(screen.getByTestId("found-ticked"))).toMatchInlineSnapshot(`"0 of 6 selected"`);
    await user.click(within(outcome).getByRole("button", { name: "Open anvil" }));
    expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "anvil" });
    act(() => stores.navigation.openFound());
    expect(within(await screen.findByTestId("found-outcome")).getByRole("heading")).not.toHaveFocus();
  });

  it("opens_member_and_reports_import_by_toast", async () => {
    const { user, stores } = await openFound();
    await user.click(await box(/Import forge from Claude Desktop, Cursor/));
    await user.click(add(1));
    await waitFor(() => expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "forge" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(await screen.findByText("forge was added")).toBeVisible();
    expect(screen.getByText("Saved as secrets: FORGE_TOKEN")).toBeVisible();
    expect(stores.found.selection.state.get().ended).toEqual([]);
  });

  it("asks for missing values and forgets secrets", async () => {
    const { user, bridge } = await openFound();
    await user.click(await box(/Import ledger/));
    const key = screen.getByLabelText("Key of the ledger (required)");
    expect(key).toHaveAttribute("type", "password");
    await user.click(add(1));
    await waitFor(() => expect(key).toHaveFocus());
    expect(key).toHaveAccessibleDescription(/Required/);
    expect(adoptions(bridge)).toEqual([]);
    await user.type(key, "planted");
    expect(key).not.toHaveAccessibleDescription(/Required/);
    expect(descriptionOf(screen.getByLabelText("Variable LEDGER_USER"))).toMatchInlineSnapshot(`"Not set in the environment. Optional."`);
    await choose(user, screen.getByLabelText("region"), "us");
    await user.click(add(1));
    await waitFor(() => expect(adoptions(bridge)).toHaveLength(1));
    expect(adoptions(bridge)[0]?.[0]?.inputs).toEqual([
      { id: "ledger-key", value: "planted" },
      { id: "region", value: "us" },
    ]);
    expect(document.body.innerHTML).not.toContain("planted");
    expect(JSON.stringify([...bridge.found.servers])).not.toContain("planted");
  });

  it("sends no secret after its field was closed", async () => {
    const { user, bridge, stores } = await openFound();
    await user.click(await box(/Import ledger/));
    await user.type(screen.getByLabelText("Key of the ledger (required)"), "planted");
    act(() => runSystemCheck(stores));
    act(() => stores.navigation.openFound());
    expect(await box(/Import ledger/)).toBeChecked();
    const key = screen.getByLabelText("Key of the ledger (required)");
    expect(key).toHaveValue("");
    await user.click(add(1));
    await waitFor(() => expect(key).toHaveFocus());
    expect(adoptions(bridge)).toEqual([]);
  });

  it("keeps failed servers selected with the error", async () => {
    const { user, bridge } = await openFound();
    bridge.found.refusing.set("id-scribe", { code: "adoption-refused", message: "The folder can't be written.", hint: "Give yourself the right to.", member: null });
    for (const one of await screen.findAllByRole("checkbox", { name: /^Select all/ })) await user.click(one);
    await user.click(await box(/Import ledger/));
    await user.click(add(3));
    const outcome = await screen.findByTestId("found-outcome");
    expect(textOf(within(outcome).getByTestId("outcome-sum"))).toMatchInlineSnapshot(`"2 servers added, 1 server failed."`);
    expect(textOf(within(outcome).getByTestId("outcome-refused"))).toMatchInlineSnapshot(`"Failed scribe: The folder can't be written. adoption-refused Give yourself the right to."`);
    expect(await box(/Import scribe/)).toBeChecked();
    await user.click(within(outcome).getByRole("button", { name: "Close the result" }));
    expect(screen.queryByTestId("found-outcome")).toBeNull();
    await waitFor(() => expect(screen.getByTestId("found-says")).toHaveFocus());
  });

  it("rejects taken, doubled and invalid names", async () => {
    const { user, bridge } = await openFound();
    await user.click(await box(/Import scribe/));
    await details(user, rowOf("scribe"));
    const name = screen.getByLabelText(MEMBER_NAME);
    for (const [typed, said] of [
      ["git", "A member named git already exists."],
      ["Git", "A member named Git already exists."],
      ["a b", "Use 1 to 64 letters"],
    ] as const) {
      await user.clear(name);
      await user.type(name, typed);
      expect(name).toHaveAccessibleDescription(new RegExp(said));
    }
    await user.click(add(1));
    await waitFor(() => expect(name).toHaveFocus());
    await user.click(await box(/Import forge from VS Code/));
    await user.clear(name);
    await user.type(name, "forge");
    for (const field of screen.getAllByLabelText(MEMBER_NAME)) expect(descriptionOf(field)).toMatchInlineSnapshot(`"Two selected servers are named forge."`);
    expect(adoptions(bridge)).toEqual([]);
  });

  it("deselects a server whose command changed", async () => {
    const { user, bridge } = await openFound();
    await user.click(await box(/Import scribe/));
    const changed = mockServer("scribe", { id: "id-scribe-now", commandLine: "npx -y something-else" });
    act(() => bridge.found.change([...mixed().filter(({ name }) => name !== "scribe"), changed]));
    expect(textOf(await screen.findByTestId("found-let-go"))).toMatchInlineSnapshot(`"scribe: its file has changed, so it is no longer selected. Review them again."`);
    expect(await box(/Import scribe/)).not.toBeChecked();
    expect(screen.getByText("npx -y something-else")).toBeVisible();
  });

  it("filter_keeps_selected_servers_in_sight", async () => {
    const { user } = await openFound((bridge) => bridge.found.change(many(20)));
    await user.click(await box(/Import server-003/));
    await user.type(screen.getByRole("searchbox", { name: /Filter by name/ }), "cursor server-01");
    await waitFor(() => expect(screen.getAllByTestId("found-server")).toHaveLength(11));
    const all = await box(/^Select all new servers of Claude Desktop/);
    expect(all).toBePartiallyChecked();
    await user.click(all);
    expect(screen.getByTestId("found-ticked")).toHaveTextContent("11 of 20 selected");
    await user.click(all);
    expect(textOf(screen.getByTestId("found-ticked"))).toMatchInlineSnapshot(`"0 of 20 selected"`);
  });

  it("works by keyboard among 200 servers", async () => {
    const { user, bridge } = await openFound((fake) => fake.found.change(many(200)));
    (await box(/Import server-000/)).focus();
    await user.keyboard("{ArrowDown} {End}{ArrowDown} {ArrowUp}");
    await waitFor(async () => expect(await box(/Import server-198/)).toHaveFocus());
    expect(await box(/Import server-001/)).toBeChecked();
    expect(await box(/Import server-199/)).toBeChecked();
    add(2).focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(adoptions(bridge)).toHaveLength(1));
    expect(adoptions(bridge)[0]?.map(({ id }) => id)).toEqual(["id-server-001", "id-server-199"]);
  });

  it("shows the error if the whole import failed", async () => {
    const closing = { code: "shutting-down" as const, message: "Guild Hall is closing.", hint: "", member: null };
    const { user, bridge, stores } = openWindow({ members: [], refusing: { adopt_servers: closing } });
    act(() => fill(bridge));
    act(() => stores.navigation.openFound());
    await user.click(await box(/Import scribe/));
    await user.click(add(1));
    expect(textOf(await within(screen.getByRole("dialog")).findByRole("alert"))).toMatchInlineSnapshot(`"Guild Hall is closing. shutting-down"`);
    expect(await box(/Import scribe/)).toBeChecked();
  });
});

describe("searched locations", () => {
  it("are added by path or dialog, and removed", async () => {
    const { user, bridge } = await openFound();
    await user.click(await screen.findByRole("button", { name: "Searched locations" }));
    await user.type(screen.getByLabelText(/A project's folder/), "not/whole{Enter}");
    expect(textOf(await within(screen.getByRole("dialog")).findByRole("alert"))).toMatchInlineSnapshot(`"not/whole is not an absolute path. project-unknownName a folder by its whole path."`);
    await user.click(screen.getByRole("button", { name: "Add folder…" }));
    const named = within(await screen.findByRole("list", { name: NAMED_FOLDERS }));
    expect(named.getByText("/home/me/work/tower")).toBeVisible();
    expect(bridge.picked).toEqual([{ kind: "folder" }]);
    expect(screen.getByTestId("found-files")).toHaveTextContent("not found: /home/me/work/tower/.cursor/mcp.json, for a project: /home/me/work/tower");
    await user.click(named.getByRole("button", { name: "Remove /home/me/work/tower" }));
    await waitFor(() => expect(screen.queryByRole("list", { name: NAMED_FOLDERS })).toBeNull());
    await waitFor(() => expect(screen.getByLabelText(/A project's folder/)).toHaveFocus());
  });

  it("show the number of servers in each file", async () => {
    const { user } = await openFound((bridge) => bridge.found.change([mockServer("a", { places: [mockPlace()] })], [mockFile({ servers: 1 }), mockFile({ program: "zed", title: "Zed", path: "/z", exists: false, servers: 0 })]));
    expect(screen.queryByTestId("found-files")).toBeNull();
    await user.click(await screen.findByRole("button", { name: "Searched locations" }));
    const files = await screen.findByTestId("found-files");
    expect(files.textContent).toMatchInlineSnapshot(`"1 of 2 files of 2 apps foundClaude Desktopread: /home/me/.config/Claude/claude_desktop_config.json, for the user, 1 serverZednot found: /z, for the user"`);
  });
});
