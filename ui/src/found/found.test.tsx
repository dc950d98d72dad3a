import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { AdoptServers } from "../bridge/bindings";
import { fakeFile, fakePlace, fakeServer } from "../bridge/fake/found";
import { fakeMember, fakeView } from "../bridge/fake/members";
import { choose } from "../testing/choose";
import { openWindow } from "../testing/open";
import { descriptionOf, textOf } from "../testing/text";
import { MEMBER_NAME } from "../testing/labels";
import { contained, fill, longOnes, many, mixed } from "./states";

const NAMED_FOLDERS = "Added folders";
const KEEP_COMMAND = "Keep the command unchanged";

async function openFound(prepare: (bridge: ReturnType<typeof openWindow>["bridge"]) => void = fill) {
  const window = openWindow({ members: [fakeMember(fakeView("git"), [])], picks: "/home/me/work/tower" });
  act(() => prepare(window.bridge));
  act(() => window.house.openFound());
  await screen.findByRole("heading", { name: "Import servers" });
  return window;
}

const rowsOf = (title: RegExp) => within(screen.getByRole("region", { name: title })).getAllByTestId("found-server");
const box = (name: RegExp) => screen.findByRole("checkbox", { name });
const adoptions = (bridge: ReturnType<typeof openWindow>["bridge"]) =>
  bridge.asked.flatMap(({ name, request }) => (name === "adopt_servers" ? [(request as AdoptServers).servers] : []));

describe("the found servers", () => {
  it("are reached from the palette, the status bar, the welcome page and the empty roster, with how many are new", async () => {
    const { user, bridge, house } = openWindow({ members: [] });
    expect(screen.queryByTestId("found-mark")).toBeNull();
    expect(screen.getByRole("button", { name: "Import from other apps" })).toBeVisible();
    act(() => fill(bridge));
    expect(await screen.findByTestId("found-mark")).toHaveTextContent("4 found");
    expect(within(screen.getByRole("region", { name: "Roster" })).getByRole("button", { name: "Review 4 servers" })).toBeVisible();
    await user.click(within(screen.getByRole("main")).getByRole("button", { name: "Import from other apps (4)" }));
    expect(await screen.findByRole("heading", { name: "Import servers" })).toBeVisible();
    act(() => house.place.set({ kind: "welcome" }));
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">found servers");
    await user.keyboard("{Enter}");
    expect(house.place.get()).toEqual({ kind: "found" });
    act(() => house.place.set({ kind: "welcome" }));
    await user.click(screen.getByTestId("found-mark"));
    expect(house.place.get()).toEqual({ kind: "found" });
  });

  it("are asked for again only while they are looked at", async () => {
    const { bridge, house } = await openFound();
    // Once by itself, for the count.
    await waitFor(() => expect(bridge.readied).toEqual([true]));
    const reads = () => bridge.asked.filter(({ name }) => name === "found_servers").length;
    const before = reads();
    act(() => bridge.found.change([fakeServer("alembic")]));
    expect(await box(/Import alembic/)).toBeVisible();
    const after = reads();
    expect(after).toBeGreaterThan(before);
    act(() => house.openDoctor());
    act(() => bridge.found.change([fakeServer("alembic"), fakeServer("bellows")]));
    await waitFor(() => expect(screen.getByTestId("found-mark")).toHaveTextContent("2 found"));
    expect(reads()).toBe(after);
  });

  it("are nobody's again when their member is gone, though nobody looks", async () => {
    const { bridge, house } = await openFound();
    expect(rowsOf(/^Already in your roster/)).toHaveLength(1);
    const gone = () => {
      bridge.found.servers = bridge.found.servers.map((server) => (server.name === "git" ? { ...server, state: { kind: "new" } } : server));
      bridge.remove("git");
    };
    act(() => house.place.set({ kind: "welcome" }));
    act(gone);
    await waitFor(() => expect(screen.getByTestId("found-mark")).toHaveTextContent("5 found"));
    act(() => house.openFound());
    expect(await box(/Import git/)).not.toBeChecked();
  });

  it("show each once with all that it would run, where it stands, and no secret", async () => {
    await openFound();
    const [forge, other] = rowsOf(/^New/);
    expect(forge).toHaveTextContent("forgenewin Claude Desktop, Cursor");
    expect(textOf(within(forge!).getByTestId("found-launch"))).toMatchInlineSnapshot(`"Runs: uvx --from forge-server==2.1.0 forgeFORGE_TOKEN=••• secret"`);
    const places = within(within(forge!).getByRole("list", { name: "Files that have forge" })).getAllByRole("listitem");
    expect(places.map((place) => place.textContent)).toMatchInlineSnapshot(`
      [
        "Claude Desktop: /home/me/.config/Claude/claude_desktop_config.json, line 12, for the user",
        "Cursor: /home/me/.cursor/mcp.json, line 3, for the user",
      ]
    `);
    expect(textOf(within(other!).getByTestId("launch-folder"))).toMatchInlineSnapshot(`"in the folder /home/me/work/tower"`);
    const ledger = rowsOf(/^New/).find((row) => row.textContent.includes("ledger"))!;
    expect(textOf(within(ledger).getByTestId("found-launch"))).toMatchInlineSnapshot(`"Address: https://ledger.example.com/mcpX-Api-Key: ••• secretNeeds 1 value from you"`);
    expect(textOf(within(ledger).getByTestId("launch-needs"))).toMatchInlineSnapshot(`"Needs 1 value from you"`);
    expect(textOf(within(ledger).getByTestId("server-approved"))).toMatchInlineSnapshot(`"Called there without a question: read_entry, list_entries"`);
    expect(textOf(within(ledger).getByTestId("server-left-out"))).toMatchInlineSnapshot(`"\`timeout\` is not carried over: 5 minutes for each call."`);
    expect(screen.getByRole("checkbox", { name: /Import ledger/ })).toHaveAccessibleDescription(/https:\/\/ledger\.example\.com\/mcp/);
  });

  it("say which are members already, which are Guild Hall itself, and which can't be adopted and why", async () => {
    const { user, house } = await openFound();
    expect(textOf(rowsOf(/^Can't be imported/)[0])).toMatchInlineSnapshot(`"oldcan't be adoptedin ZedIt needs the transport \`sse\`, which is not spoken. found-server-unusable Look whether the server has another address.Zed: /home/me/.config/zed/settings.json, line 40, for the user"`);
    expect(textOf(rowsOf(/^Guild Hall's own/)[0])).toMatchInlineSnapshot(`"guild-hallGuild Hall itselfin Claude DesktopAddress: http://127.0.0.1:19999/mcpAuthorization: Bearer ••• secretClaude Desktop: /home/me/.config/Claude/claude_desktop_config.json, line 20, for the user"`);
    expect(screen.getAllByRole("checkbox")).toHaveLength(4);
    await user.click(within(rowsOf(/^Already in your roster/)[0]!).getByRole("button", { name: "Open git" }));
    expect(house.place.get()).toMatchObject({ kind: "member", member: "git" });
  });

  it("show side by side what differs between two of one name", async () => {
    const { user } = await openFound();
    const [forge] = rowsOf(/^New/);
    await user.click(within(forge!).getByRole("button", { name: "Compare forge with another one of this name" }));
    const table = within(forge!).getByRole("table");
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

  it("name a broken file with its line and what to do, and show what else was found", async () => {
    await openFound();
    const broken = screen.getByRole("region", { name: /Not read to the end/ });
    expect(textOf(broken)).toMatchInlineSnapshot(`"Not read to the endZed, for the user: /home/me/.config/zed/settings.jsonLine 31, column 5: a comma or \`}\` is missing. The servers before it were read. client-config-unreadable Mend that line; the file is read again when it changes."`);
    expect(rowsOf(/^New/)).toHaveLength(4);
  });

  it("leave nothing unseen in a long command, and cut nothing", async () => {
    await openFound((bridge) => bridge.found.change(longOnes()));
    const [first] = await screen.findAllByTestId("found-launch");
    expect(first).toHaveTextContent("⟨202E⟩gnp.exe");
    expect(first!.textContent.length).toBeGreaterThan(2_000);
    expect(first!.querySelector("code")).toHaveClass("whitespace-pre-wrap", "wrap-anywhere");
  });

  it("say where was looked when there are none", async () => {
    await openFound(() => undefined);
    expect(await screen.findByTestId("found-nothing")).toBeVisible();
    const files = screen.getByTestId("found-files");
    expect(files).toHaveAttribute("open");
    expect(textOf(within(files).getByTestId("found-files-count"))).toMatchInlineSnapshot(`"3 files of 3 programs; none of them are there"`);
    expect(within(files).getByText("/home/me/.codex/config.toml")).toBeVisible();
    expect(screen.queryByTestId("found-ticked")).toBeNull();
  });
});

describe("adopting found servers", () => {
  it("starts nothing before it is asked for, and nothing is ticked by itself", async () => {
    const { user, bridge } = await openFound();
    for (const one of await screen.findAllByRole("checkbox")) expect(one).not.toBeChecked();
    expect(textOf(screen.getByTestId("found-ticked"))).toMatchInlineSnapshot(`"Nothing selected"`);
    const adopt = screen.getByRole("button", { name: "Import" });
    expect(adopt.getAttribute("aria-description")).toMatchInlineSnapshot(`"Nothing selected"`);
    await user.click(adopt);
    await user.click(await box(/Import scribe/));
    const name = screen.getByLabelText(MEMBER_NAME);
    await user.type(name, "{Enter}");
    expect(adoptions(bridge)).toEqual([]);
    expect(bridge.asked.map(({ name: command }) => command)).not.toContain("start_member");
  });

  it("are shown as the container that a member has, and stay a command where that is wanted or there is no other way", async () => {
    const { user, bridge } = await openFound((bridge) => bridge.found.change(contained()));
    const [quay, stow] = rowsOf(/^New/);
    const container = within(quay!).getByTestId("found-container");
    expect(textOf(within(container).getByRole("list", { name: "Container" }))).toMatchInlineSnapshot(`"image: ghcr.io/example/quay:2engine: dockernetwork: bridgemount /data: /srv/quay (read only)pull: missing"`);
    expect(within(container).getByRole("list", { name: "Environment in the container" })).toHaveTextContent("QUAY_TOKEN=••• secret");
    expect(textOf(within(container).getByTestId("launch-kept-outside"))).toMatchInlineSnapshot(`"Not given to it: DOCKER_CLI_HINTS. The entry sets this for the engine alone, which hands it on to no container."`);
    expect(textOf(within(stow!).getByRole("list", { name: "Reasons" }))).toMatchInlineSnapshot(`"\`stow-memory\` is a volume of the engine, and no folder"`);
    await user.click(await box(/Import stow/));
    expect(screen.queryByRole("checkbox", { name: KEEP_COMMAND })).toBeNull();
    await user.click(await box(/Import quay/));
    const keep = screen.getByRole("checkbox", { name: KEEP_COMMAND });
    expect(keep).not.toBeChecked();
    expect(descriptionOf(keep)).toMatchInlineSnapshot(`"What an engine runs for a command goes on when the command is killed. The member's container has a name by which it is always put away; it has no capabilities and gets no new privileges. A server that needs those wants its command."`);
    await user.click(keep);
    expect(within(quay!).queryByTestId("found-container")).toBeNull();
    expect(textOf(within(quay!).getByTestId("found-kept"))).toMatchInlineSnapshot(`"The command stays unchanged. Its container may keep running after the command ends."`);
    await user.click(screen.getByRole("button", { name: "Import 2 servers" }));
    await screen.findByTestId("found-outcome");
    expect(adoptions(bridge)).toEqual([
      [
        { id: "id-stow", name: "stow", inputs: [], keepCommand: false },
        { id: "id-quay", name: "quay", inputs: [], keepCommand: true },
      ],
    ]);
  });

  it("makes members of those that are ticked, under the names they were given, and leads to them", async () => {
    const { user, bridge, house } = await openFound();
    bridge.found.warning = { code: "keychain-unanswered", message: "No keychain can be reached.", hint: "", member: null };
    await user.click(await box(/Import forge from Claude Desktop, Cursor/));
    await user.click(await box(/Import forge from VS Code/));
    const names = screen.getAllByLabelText(MEMBER_NAME);
    expect(names.map((field) => (field as HTMLInputElement).value)).toEqual(["forge", "forge-2"]);
    await user.clear(names[1]!);
    await user.type(names[1]!, "anvil");
    await user.click(screen.getByRole("button", { name: "Import 2 servers" }));
    const outcome = await screen.findByTestId("found-outcome");
    expect(adoptions(bridge)).toEqual([
      [
        { id: "id-forge", name: "forge", inputs: [], keepCommand: false },
        { id: "id-forge-too", name: "anvil", inputs: [], keepCommand: false },
      ],
    ]);
    await waitFor(() => expect(within(outcome).getByRole("heading", { name: "2 servers imported." })).toHaveFocus());
    expect(textOf(within(outcome).getAllByTestId("outcome-adopted")[0])).toMatchInlineSnapshot(`"Imported forge, in /home/me/.local/share/guild-hall/guild-members/forge; secret kept: FORGE_TOKEN"`);
    expect(outcome).toHaveTextContent("No keychain can be reached.");
    await waitFor(() => expect(rowsOf(/^Already in your roster/)).toHaveLength(3));
    expect(textOf(screen.getByTestId("found-ticked"))).toMatchInlineSnapshot(`"Nothing selected"`);
    await user.click(within(outcome).getByRole("button", { name: "Open anvil" }));
    expect(house.place.get()).toMatchObject({ kind: "member", member: "anvil" });
    act(() => house.openFound());
    expect(within(await screen.findByTestId("found-outcome")).getByRole("heading")).not.toHaveFocus();
  });

  it("asks for what is missing, as a password where it is a secret, and forgets it afterwards", async () => {
    const { user, bridge } = await openFound();
    await user.click(await box(/Import ledger/));
    const key = screen.getByLabelText("Key of the ledger (needed)");
    expect(key).toHaveAttribute("type", "password");
    await user.click(screen.getByRole("button", { name: "Import 1 server" }));
    await waitFor(() => expect(key).toHaveFocus());
    expect(key).toHaveAccessibleDescription(/Required/);
    expect(adoptions(bridge)).toEqual([]);
    await user.type(key, "planted");
    expect(key).not.toHaveAccessibleDescription(/Required/);
    expect(descriptionOf(screen.getByLabelText("Variable LEDGER_USER"))).toMatchInlineSnapshot(`"Not set in the environment. Optional."`);
    await choose(user, screen.getByLabelText("region"), "us");
    await user.click(screen.getByRole("button", { name: "Import 1 server" }));
    await screen.findByTestId("found-outcome");
    expect(adoptions(bridge)[0]?.[0]?.inputs).toEqual([
      { id: "ledger-key", value: "planted" },
      { id: "region", value: "us" },
    ]);
    expect(document.body.innerHTML).not.toContain("planted");
    expect(JSON.stringify([...bridge.found.servers])).not.toContain("planted");
  });

  it("sends no secret whose field is not there any more", async () => {
    const { user, bridge, house } = await openFound();
    await user.click(await box(/Import ledger/));
    await user.type(screen.getByLabelText("Key of the ledger (needed)"), "planted");
    act(() => house.openDoctor());
    act(() => house.openFound());
    expect(await box(/Import ledger/)).toBeChecked();
    const key = screen.getByLabelText("Key of the ledger (needed)");
    expect(key).toHaveValue("");
    await user.click(screen.getByRole("button", { name: "Import 1 server" }));
    await waitFor(() => expect(key).toHaveFocus());
    expect(adoptions(bridge)).toEqual([]);
  });

  it("keeps what was refused ticked, and says why beside what came of the others", async () => {
    const { user, bridge } = await openFound();
    bridge.found.refusing.set("id-scribe", { code: "adoption-refused", message: "The folder can't be written.", hint: "Give yourself the right to.", member: null });
    await user.click(await screen.findByRole("button", { name: "Select all (4)" }));
    await user.click(await box(/Import ledger/));
    await user.click(screen.getByRole("button", { name: "Import 3 servers" }));
    const outcome = await screen.findByTestId("found-outcome");
    expect(textOf(within(outcome).getByTestId("outcome-sum"))).toMatchInlineSnapshot(`"2 servers imported, 1 server refused."`);
    expect(textOf(within(outcome).getByTestId("outcome-refused"))).toMatchInlineSnapshot(`"refused scribe: The folder can't be written. adoption-refused Give yourself the right to."`);
    expect(await box(/Import scribe/)).toBeChecked();
    await user.click(within(outcome).getByRole("button", { name: "Close the result" }));
    expect(screen.queryByTestId("found-outcome")).toBeNull();
    await waitFor(() => expect(screen.getByRole("heading", { name: "Import servers" })).toHaveFocus());
  });

  it("takes no name that a member or another ticked one has, nor one that is none", async () => {
    const { user, bridge } = await openFound();
    await user.click(await box(/Import scribe/));
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
    await user.click(screen.getByRole("button", { name: "Import 1 server" }));
    await waitFor(() => expect(name).toHaveFocus());
    await user.click(await box(/Import forge from VS Code/));
    await user.clear(name);
    await user.type(name, "forge");
    for (const field of screen.getAllByLabelText(MEMBER_NAME)) expect(descriptionOf(field)).toMatchInlineSnapshot(`"Two selected servers are named forge."`);
    expect(adoptions(bridge)).toEqual([]);
  });

  it("lets go of one whose file changed: what would run now was not seen", async () => {
    const { user, bridge } = await openFound();
    await user.click(await box(/Import scribe/));
    const changed = fakeServer("scribe", { id: "id-scribe-now", commandLine: "npx -y something-else" });
    act(() => bridge.found.change([...mixed().filter(({ name }) => name !== "scribe"), changed]));
    expect(textOf(await screen.findByTestId("found-let-go"))).toMatchInlineSnapshot(`"scribe: its file has changed, so it is no longer selected. Review them again."`);
    expect(await box(/Import scribe/)).not.toBeChecked();
    expect(screen.getByText("npx -y something-else")).toBeVisible();
  });

  it("shows what is ticked whatever is filtered, and ticks only what is shown", async () => {
    const { user } = await openFound();
    await user.click(await box(/Import scribe/));
    await user.type(screen.getByRole("searchbox", { name: /Filter by name/ }), "vs code forge");
    await waitFor(() => expect(screen.getAllByTestId("found-server")).toHaveLength(2));
    await user.click(screen.getByRole("button", { name: "Select all shown (2)" }));
    expect(screen.getByTestId("found-ticked")).toHaveTextContent("2 servers selected");
    await user.click(screen.getByRole("button", { name: "Clear selection" }));
    expect(textOf(screen.getByTestId("found-ticked"))).toMatchInlineSnapshot(`"Nothing selected"`);
  });

  it("is done by keys alone, also among 200", async () => {
    const { user, bridge } = await openFound((fake) => fake.found.change(many(200)));
    (await box(/Import server-000/)).focus();
    await user.keyboard("{ArrowDown} {End}{ArrowDown} {ArrowUp}");
    await waitFor(async () => expect(await box(/Import server-198/)).toHaveFocus());
    expect(await box(/Import server-001/)).toBeChecked();
    expect(await box(/Import server-199/)).toBeChecked();
    screen.getByRole("button", { name: "Import 2 servers" }).focus();
    await user.keyboard("{Enter}");
    await waitFor(async () => expect(await screen.findByRole("heading", { name: "2 servers imported." })).toHaveFocus());
    expect(adoptions(bridge)[0]?.map(({ id }) => id)).toEqual(["id-server-001", "id-server-199"]);
  });

  it("says why nothing was adopted at all", async () => {
    const closing = { code: "shutting-down" as const, message: "Guild Hall is closing.", hint: "", member: null };
    const { user, bridge, house } = openWindow({ members: [], refusing: { adopt_servers: closing } });
    act(() => fill(bridge));
    act(() => house.openFound());
    await user.click(await box(/Import scribe/));
    await user.click(screen.getByRole("button", { name: "Import 1 server" }));
    expect(textOf(await within(screen.getByRole("main")).findByRole("alert"))).toMatchInlineSnapshot(`"Guild Hall is closing. shutting-down"`);
    expect(await box(/Import scribe/)).toBeChecked();
  });
});

describe("the places that are looked at", () => {
  it("are added by a path or the system's dialog, and taken away", async () => {
    const { user, bridge } = await openFound();
    await user.type(screen.getByLabelText(/A project's folder/), "not/whole{Enter}");
    expect(textOf(await within(screen.getByRole("main")).findByRole("alert"))).toMatchInlineSnapshot(`"not/whole is no whole path. project-unknownName a folder by its whole path."`);
    await user.click(screen.getByRole("button", { name: "Choose a folder…" }));
    const named = within(await screen.findByRole("list", { name: NAMED_FOLDERS }));
    expect(named.getByText("/home/me/work/tower")).toBeVisible();
    expect(bridge.picked).toEqual([{ kind: "folder" }]);
    expect(screen.getByTestId("found-files")).toHaveTextContent("not there: /home/me/work/tower/.cursor/mcp.json, for a project: /home/me/work/tower");
    await user.click(named.getByRole("button", { name: "Remove /home/me/work/tower" }));
    await waitFor(() => expect(screen.queryByRole("list", { name: NAMED_FOLDERS })).toBeNull());
    await waitFor(() => expect(screen.getByLabelText(/A project's folder/)).toHaveFocus());
  });

  it("are told with how many servers each file has", async () => {
    await openFound((bridge) => bridge.found.change([fakeServer("a", { places: [fakePlace()] })], [fakeFile({ servers: 1 }), fakeFile({ program: "zed", title: "Zed", path: "/z", exists: false, servers: 0 })]));
    const files = await screen.findByTestId("found-files");
    expect(files).not.toHaveAttribute("open");
    expect(files.textContent).toMatchInlineSnapshot(`"2 files of 2 programs; 1 of them is thereClaude Desktopread: /home/me/.config/Claude/claude_desktop_config.json, for the user, 1 serverZednot there: /z, for the user"`);
  });
});
