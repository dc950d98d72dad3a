import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { Report } from "../../../ipc/bindings";
import type { MockBridge } from "../../../ipc/mock";
import { mockSource } from "../../../ipc/mock/registry";
import { fromMenu } from "../../form/testing/menus";
import { choose } from "../../../testing/choose";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { MEMBER_NAME } from "../../../testing/labels";
import { ROWS_MAX } from "./registryStore";
import { fill, many } from "./testing";

const INSTALLING = "Installing…";
const SHOW_MORE = "Show more servers";

async function openRegistry(prepare: (bridge: MockBridge) => void = fill) {
  const window = openWindow({ members: [], picks: "/home/me/servers.json" });
  prepare(window.bridge);
  act(() => window.stores.navigation.openAdding("registry"));
  await screen.findByTestId("registry");
  return window;
}

const list = () => screen.findByRole("listbox", { name: "Listed servers" });
const option = (name: RegExp) => screen.findByRole("option", { name });
const asked = (bridge: MockBridge, command: string) => bridge.asked.filter(({ name }) => name === command);
const lastAsked = (bridge: MockBridge, command: string) => asked(bridge, command).at(-1)?.request;

const UNREACHABLE: Report = { code: "registry-unread", message: "https://registry.example could not be read: the connection failed.", hint: "", member: null };
const searchBox = () => screen.getByRole("searchbox", { name: "Search servers" });
const type = (text: string) => fireEvent.change(searchBox(), { target: { value: text } });

describe("a registry", () => {
  it("opening_searches_and_shows_source_and_age", async () => {
    const { bridge } = await openRegistry();
    expect(await option(/Notes, com.example\/notes/)).toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Registry" })).toHaveTextContent("https://registry.example");
    expect(textOf(screen.getByTestId("registry-age"))).toMatchInlineSnapshot(`"as of 1 min ago"`);
    expect(asked(bridge, "search_registry")).toMatchObject([{ request: { source: null, query: "", cursor: null } }]);
  });

  it("leads to the setting of the registry", async () => {
    const { user, stores } = await openRegistry();
    await option(/Notes/);
    await user.click(screen.getByRole("button", { name: "Change registry…" }));
    expect(stores.navigation.place.get()).toMatchObject({ kind: "settings", at: "general" });
  });

  it("changed_registry_closes_the_open_server", async () => {
    const { user, bridge, stores } = await openRegistry();
    await user.click(await option(/Notes/));
    await screen.findByTestId("registry-server");
    act(() => stores.navigation.openAdding("bundle"));
    await screen.findByTestId("bundle");
    bridge.registry.source = mockSource({ source: "/home/me/servers.json" });
    act(() => stores.navigation.openAdding("registry"));
    expect(await screen.findByText("/home/me/servers.json")).toBeVisible();
    expect(screen.queryByTestId("registry-server")).toBeNull();
  });

  it("unreachable_registry_shows_earlier_answer", async () => {
    await openRegistry((fake) => {
      fill(fake);
      fake.registry.source = mockSource({ asOfMs: Date.now() - 3 * 3_600_000, unread: UNREACHABLE });
    });
    expect(textOf(await screen.findByTestId("registry-offline"))).toMatchInlineSnapshot(`"The registry can't be reached now. This list is from an answer 3 h ago.https://registry.example could not be read: the connection failed. registry-unread"`);
    expect(await option(/Notes/)).toBeInTheDocument();
  });

  it("failed_search_shows_error_and_retries", async () => {
    const { user, bridge } = await openRegistry((fake) => {
      fill(fake);
      fake.registry.onSearch = () => Promise.reject(new Error("unreachable"));
    });
    expect(await screen.findByTestId("registry-trouble")).toHaveTextContent("unreachable");
    bridge.registry.onSearch = () => Promise.resolve();
    await user.click(screen.getByRole("button", { name: "Search again" }));
    expect(await option(/Notes/)).toBeInTheDocument();
    expect(screen.queryByTestId("registry-trouble")).toBeNull();
  });

  it("typing_pause_searches_and_ignores_old_answer", async () => {
    const { bridge } = await openRegistry();
    await option(/Notes/);
    let first: () => void = () => undefined;
    bridge.registry.onSearch = (query) => (query === "old" ? new Promise((resolve) => { first = resolve; }) : Promise.resolve());
    const before = asked(bridge, "search_registry").length;
    for (const text of ["o", "ol", "old"]) type(text);
    await waitFor(() => expect(lastAsked(bridge, "search_registry")).toMatchObject({ query: "old" }));
    expect(asked(bridge, "search_registry").length).toBe(before + 1);
    const { call } = lastAsked(bridge, "search_registry") as { call: string };
    type("gone");
    expect(await screen.findByText("1 server")).toBeVisible();
    expect(asked(bridge, "cancel_call").map(({ request }) => request)).toContainEqual({ call });
    act(() => first());
    expect(await option(/com.example\/gone/)).toBeInTheDocument();
    expect(screen.queryByRole("option", { name: /old-weather/ })).toBeNull();
  });

  it("slow_search_stops_and_repeats", async () => {
    const { user, bridge } = await openRegistry();
    await option(/Notes/);
    bridge.registry.onSearch = () => new Promise(() => undefined);
    type("notes");
    await user.click(await screen.findByRole("button", { name: "Stop" }));
    expect(searchBox()).toHaveFocus();
    expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
    expect(screen.queryByTestId("registry-trouble")).toBeNull();
    expect(await option(/Notes/)).toBeInTheDocument();
    const { call } = lastAsked(bridge, "search_registry") as { call: string };
    expect(lastAsked(bridge, "cancel_call")).toEqual({ call });
    expect(screen.getByTestId("registry-count")).toHaveTextContent("Search stopped");
    bridge.registry.onSearch = () => Promise.resolve();
    await user.click(screen.getByRole("button", { name: "Search again" }));
    expect(await screen.findByText("1 server")).toBeVisible();
    expect(lastAsked(bridge, "search_registry")).toMatchObject({ query: "notes", cursor: null });
    expect(screen.queryByRole("button", { name: "Search again" })).toBeNull();
    expect(searchBox()).toHaveFocus();
  });

  it("leaving_the_panel_cancels_the_search", async () => {
    const { bridge, stores } = await openRegistry((fake) => {
      fill(fake);
      fake.registry.onSearch = () => new Promise(() => undefined);
    });
    await screen.findByText("Searching…");
    act(() => stores.navigation.openAdding("bundle"));
    await screen.findByTestId("bundle");
    const { call } = lastAsked(bridge, "search_registry") as { call: string };
    expect(lastAsked(bridge, "cancel_call")).toEqual({ call });
    act(() => stores.navigation.openAdding("registry"));
    await screen.findByText("Searching…");
    expect(lastAsked(bridge, "search_registry")).not.toMatchObject({ call });
  });

  it("failed_search_has_no_next_page", async () => {
    const { user, bridge } = await openRegistry((fake) => fake.registry.list(many(70)));
    await screen.findByRole("button", { name: SHOW_MORE });
    bridge.registry.onSearch = () => Promise.reject(new Error("unreachable"));
    type("server");
    expect(await screen.findByTestId("registry-trouble")).toHaveTextContent("unreachable");
    expect(screen.queryByRole("button", { name: SHOW_MORE })).toBeNull();
    bridge.registry.onSearch = () => Promise.resolve();
    await user.click(screen.getByRole("button", { name: "Search again" }));
    expect(await screen.findByRole("button", { name: SHOW_MORE })).toBeVisible();
  });

  it("changed_members_keep_loaded_pages", async () => {
    const { user, bridge } = await openRegistry((fake) => fake.registry.list(many(120)));
    const box = await list();
    await user.click(screen.getByRole("button", { name: SHOW_MORE }));
    await option(/server-00099/);
    const before = asked(bridge, "search_registry").length;
    bridge.registry.list(many(120).map((server) => ({ ...server, members: [{ member: "mine", version: "1.0.0", newer: false }] })));
    act(() => bridge.remove("forge"));
    await waitFor(() => expect(within(box).getAllByText(/mine/)).toHaveLength(100));
    expect(asked(bridge, "search_registry").slice(before)).toMatchObject([{ request: { cursor: null } }, { request: { cursor: "50" } }]);
    expect(textOf(screen.getByTestId("registry-count"))).toMatchInlineSnapshot(`"100 servers so far"`);
  });

  it("many_servers_load_page_by_page", async () => {
    const { user, bridge } = await openRegistry((fake) => fake.registry.list(many(70)));
    const box = await list();
    expect(within(box).getAllByRole("option")).toHaveLength(50);
    expect(textOf(screen.getByTestId("registry-count"))).toMatchInlineSnapshot(`"50 servers so far"`);
    await user.click(screen.getByRole("button", { name: SHOW_MORE }));
    expect(await option(/server-00069/)).toBeInTheDocument();
    expect(screen.getByTestId("registry-count")).toHaveTextContent("70 servers");
    expect(lastAsked(bridge, "search_registry")).toMatchObject({ source: "https://registry.example", cursor: "50" });
    expect(screen.queryByRole("button", { name: SHOW_MORE })).toBeNull();
    expect(box).toHaveFocus();
    await user.keyboard("{End}{Enter}");
    expect(await screen.findByRole("heading", { name: "com.example/server-00069" })).toBeInTheDocument();
    type("zeppelin");
    await waitFor(() => expect(screen.getByTestId("registry-count")).not.toHaveTextContent(/\d/));
    expect(textOf(screen.getByTestId("registry-count"))).toMatchInlineSnapshot(`"No matching servers"`);
  });

  it("list_stops_at_the_limit", async () => {
    const { user } = await openRegistry((fake) => fake.registry.list(many(ROWS_MAX + 100)));
    const box = await list();
    for (let shown = 50; shown < ROWS_MAX; shown += 50) {
      await user.click(screen.getByRole("button", { name: SHOW_MORE }));
      await waitFor(() => expect(within(box).getAllByRole("option")).toHaveLength(shown + 50));
    }
    expect(textOf(screen.getByTestId("registry-limit"))).toMatchInlineSnapshot(`"More servers match. Refine your search."`);
    expect(screen.queryByRole("button", { name: SHOW_MORE })).toBeNull();
  });

  it("list_works_by_keyboard", async () => {
    const { user } = await openRegistry();
    await option(/Notes/);
    const field = searchBox();
    act(() => field.focus());
    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    const heading = await screen.findByRole("heading", { name: "com.example/old-weather" });
    await waitFor(() => expect(heading).toHaveFocus());
    const server = screen.getByTestId("registry-server");
    expect(server).toHaveTextContent("deprecated");
    expect(server).toHaveTextContent("Use com.example/weather.");
    expect(textOf(within(server).getByTestId("registry-installed"))).toMatchInlineSnapshot(`"Installed as weather, version 0.9.0. A newer version is available."`);
    await user.click(within(server).getByRole("button", { name: "Back to the list" }));
    expect(await list()).toHaveFocus();
  });

  it("open_server_leaves_focus_on_the_tabs", async () => {
    const { user } = await openRegistry();
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    act(() => screen.getByRole("tab", { name: ".mcpb bundle" }).focus());
    await user.keyboard("{ArrowUp}");
    const tab = screen.getByRole("tab", { name: "Registry" });
    await screen.findByTestId("registry-server");
    expect(tab).toHaveAttribute("aria-selected", "true");
    expect(tab).toHaveFocus();
  });

  it("invalid_entries_show_their_errors", async () => {
    await openRegistry((fake) => {
      fill(fake);
      fake.registry.leftOut = [{ at: 7, name: "no slash", why: "its name doesn't have the form `com.example/name`" }];
    });
    const left = await screen.findByTestId("registry-left-out");
    expect(left.textContent).toMatchInlineSnapshot(`"1 entry left outEntry 7 (no slash): its name doesn't have the form \`com.example/name\`"`);
  });

  it("options_show_whole_command_or_error", async () => {
    const { user, bridge } = await openRegistry();
    await user.click(await option(/Notes/));
    expect(await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'")).toBeVisible();
    expect(screen.getByRole("list", { name: "Environment" })).toHaveTextContent("NOTES_TOKEN=${input:NOTES_TOKEN}");
    await user.click(screen.getByRole("radio", { name: /container image/ }));
    expect(screen.getByText(/docker run -i --rm --network host/)).toBeVisible();
    expect(screen.getByText(/has more access than the default/)).toBeVisible();
    expect(textOf(screen.getByRole("list", { name: "Reasons" }))).toMatchInlineSnapshot(`"members can't use the network \`host\`"`);
    await user.click(screen.getByRole("radio", { name: /bundle/ }));
    expect(textOf(screen.getByTestId("registry-unusable"))).toMatchInlineSnapshot(`"It is an .mcpb bundle. Download it, then add the file."`);
    await choose(user, screen.getByRole("combobox", { name: "Version" }), "1.3.0");
    await waitFor(() => expect(lastAsked(bridge, "registry_server")).toMatchObject({ version: "1.3.0" }));
  });

  it("install_asks_and_opens_the_review", async () => {
    const { user, bridge, stores } = await openRegistry();
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    await user.click(screen.getByRole("button", { name: "Install" }));
    expect(textOf(await screen.findByTestId("answers-unfit"))).toMatchInlineSnapshot(`"2 answers to fix"`);
    expect(asked(bridge, "install_registry_server")).toHaveLength(0);
    await user.type(screen.getByRole("textbox", { name: /folder/ }), "/home/me/notes");
    await user.type(screen.getByLabelText(/NOTES_TOKEN/, { selector: "input" }), "planted");
    expect(screen.getByLabelText(/NOTES_TOKEN/, { selector: "input" })).toHaveAttribute("type", "password");
    const name = screen.getByRole("textbox", { name: MEMBER_NAME });
    await user.clear(name);
    await user.type(name, "-");
    expect(screen.getByRole("button", { name: "Install" })).toHaveAttribute("aria-disabled", "true");
    await user.clear(name);
    await user.type(name, "my-notes");
    await user.click(screen.getByRole("button", { name: "Install" }));
    await waitFor(() => expect(stores.navigation.place.get()).toEqual({ kind: "member", member: "my-notes", first: "review" }));
    const request = lastAsked(bridge, "install_registry_server") as { answers: string };
    expect(request).toMatchObject({ server: "com.example/notes", version: "1.4.0", way: "way-notes", member: "my-notes" });
    expect(JSON.parse(request.answers)).toEqual({ folder: "/home/me/notes", NOTES_TOKEN: "planted", NOTES_LIMIT: 100 });
  });

  it("install_warning_is_shown_above_the_review", async () => {
    const { user, bridge, stores } = await openRegistry((fake) => fake.registry.list(many(1)));
    bridge.registry.besides = {
      warning: { code: "keychain-unanswered", message: "No keychain can be reached.", hint: "", member: null },
      staysCommand: ["members can't use the network `host`"],
    };
    await user.click(await option(/server-00000/));
    await user.click(await screen.findByRole("button", { name: "Install" }));
    const note = await screen.findByTestId("just-installed");
    expect(textOf(note)).toMatchInlineSnapshot(`"It stays a command. Its container may keep running after the command ends:members can't use the network \`host\`No keychain can be reached. keychain-unanswered"`);
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"server-00000 was added. Review it to start. It stays a command. Its container may keep running after the command ends: members can't use the network \`host\`. No keychain can be reached."`);
    act(() => stores.navigation.openReview("server-00000"));
    expect(screen.queryByTestId("just-installed")).toBeNull();
  });

  it("install_after_leaving_stays_on_the_page", async () => {
    const { user, bridge, stores } = await openRegistry((fake) => fake.registry.list(many(2)));
    let ended: () => void = () => undefined;
    bridge.registry.write = () => new Promise((resolve) => { ended = resolve; });
    const begin = async (server: RegExp) => {
      await user.click(await option(server));
      await user.click(await screen.findByRole("button", { name: "Install" }));
      await waitFor(() => expect(document.querySelector(`[aria-description="${INSTALLING}"]`)).not.toBeNull());
    };
    await begin(/server-00000/);
    await user.click(await option(/server-00001/));
    const from = stores.navigation.place.get();
    act(() => ended());
    await waitFor(() => expect(stores.spoken.get()).toContain("server-00000"));
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"server-00000 was added. Review it to start."`);
    expect(stores.navigation.place.get()).toBe(from);
    bridge.registry.refusing = { code: "file-unwritable", message: "The members' folder can't be written.", hint: "", member: null };
    await begin(/server-00001/);
    act(() => stores.navigation.openFound());
    act(() => ended());
    await waitFor(() => expect(stores.hall.notices.get()).toMatchObject([{ report: { code: "file-unwritable" } }]));
    expect(stores.navigation.addingTab.get()).toBe("found");
  });

  it("install_keeps_input_of_another_option", async () => {
    const { user, bridge, stores } = await openRegistry();
    let ended: () => void = () => undefined;
    bridge.registry.write = () => new Promise((resolve) => { ended = resolve; });
    await user.click(await option(/Notes/));
    const folder = () => screen.findByRole("textbox", { name: /folder/ });
    await user.type(await folder(), "/home/me/notes");
    await user.type(screen.getByLabelText(/NOTES_TOKEN/, { selector: "input" }), "planted");
    await user.click(screen.getByRole("button", { name: "Install" }));
    await waitFor(() => expect(document.querySelector(`[aria-description="${INSTALLING}"]`)).not.toBeNull());
    await user.click(screen.getByRole("radio", { name: /container image/ }));
    const name = () => screen.getByRole("textbox", { name: MEMBER_NAME });
    await user.type(name(), "-box");
    const from = stores.navigation.place.get();
    act(() => ended());
    await waitFor(() => expect(stores.spoken.get()).toContain("notes"));
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"notes was added. Review it to start."`);
    expect(stores.navigation.place.get()).toBe(from);
    act(() => stores.navigation.openAdding("bundle"));
    await screen.findByTestId("bundle");
    act(() => stores.navigation.openAdding("registry"));
    expect(await screen.findByRole("radio", { name: /container image/ })).toBeChecked();
    expect(name()).toHaveValue("notes-box");

    await user.click(screen.getByRole("button", { name: "Install" }));
    await waitFor(() => expect(document.querySelector(`[aria-description="${INSTALLING}"]`)).not.toBeNull());
    await choose(user, screen.getByRole("combobox", { name: "Version" }), "1.3.0");
    await screen.findByText("npx -y @example/notes@1.0.0");
    await user.type(name(), "-old");
    bridge.registry.refusing = { code: "file-unwritable", message: "The members' folder can't be written.", hint: "", member: null };
    act(() => ended());
    await waitFor(() => expect(stores.hall.notices.get()).toMatchObject([{ report: { code: "file-unwritable" } }]));
    expect(screen.queryByTestId("registry-refused")).toBeNull();
    expect(name()).toHaveValue("notes-old");
  });

  it("install_goes_on_when_the_panel_is_left", async () => {
    const { user, bridge, stores } = await openRegistry((fake) => fake.registry.list(many(1)));
    const lookElsewhere = async () => {
      act(() => stores.navigation.openAdding("bundle"));
      await screen.findByTestId("bundle");
      act(() => stores.navigation.openAdding("registry"));
      await screen.findByTestId("registry");
    };
    const isBusy = async (name: string, why: string) => {
      const button = await screen.findByRole("button", { name });
      expect(button).toHaveAttribute("aria-description", why);
      expect(button).toHaveAttribute("aria-disabled", "true");
      await user.click(button);
    };
    let ended: () => void = () => undefined;
    bridge.registry.write = () => new Promise((resolve) => { ended = resolve; });
    await user.click(await option(/server-00000/));
    await user.click(await screen.findByRole("button", { name: "Install" }));
    await waitFor(() => expect(document.querySelector(`[aria-description="${INSTALLING}"]`)).not.toBeNull());
    await lookElsewhere();
    await isBusy("Install", INSTALLING);
    act(() => ended());
    // After returning, the user sees the new member as if the panel had never been left.
    await waitFor(() => expect(stores.navigation.place.get()).toEqual({ kind: "member", member: "server-00000", first: "review" }));
    expect(asked(bridge, "install_registry_server")).toHaveLength(1);
  });

  it("chosen_version_stays_until_discarded", async () => {
    const { user, stores } = await openRegistry();
    const version = () => screen.getByRole("combobox", { name: "Version" });
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    await choose(user, version(), "1.3.0");
    await screen.findByText("npx -y @example/notes@1.0.0");
    await user.click(await option(/server-00000/));
    await screen.findByRole("heading", { name: "com.example/server-00000" });
    await user.click(await option(/Notes/));
    expect(await screen.findByText("npx -y @example/notes@1.0.0")).toBeVisible();
    expect(version()).toHaveTextContent("1.3.0");
    act(() => stores.registry.forget());
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    expect(version()).toHaveTextContent("1.4.0");
  });

  it("installed_older_version_stays_open", async () => {
    const { user, bridge, stores } = await openRegistry();
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    await choose(user, screen.getByRole("combobox", { name: "Version" }), "1.3.0");
    await screen.findByText("npx -y @example/notes@1.0.0");
    await user.click(screen.getByRole("button", { name: "Install" }));
    await waitFor(() => expect(stores.navigation.place.get()).toMatchObject({ kind: "member", first: "review" }));
    act(() => stores.navigation.openAdding("registry"));
    await screen.findByText("npx -y @example/notes@1.0.0");
    const looks = () => asked(bridge, "registry_server").length;
    const before = looks();
    act(() => bridge.remove("forge"));
    await waitFor(() => expect(looks()).toBe(before + 1));
    expect(lastAsked(bridge, "registry_server")).toMatchObject({ version: "1.3.0" });
    expect(screen.getByText("npx -y @example/notes@1.0.0")).toBeVisible();
  });

  it("unread_version_falls_back_to_the_newest", async () => {
    const { user, bridge } = await openRegistry();
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    const call = bridge.call.bind(bridge);
    bridge.call = (name, request) => (name === "registry_server" ? Promise.reject(new Error("it is listed no more")) : call(name, request));
    await choose(user, screen.getByRole("combobox", { name: "Version" }), "1.3.0");
    await screen.findByTestId("trouble");
    bridge.call = call;
    act(() => bridge.remove("forge"));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    expect(lastAsked(bridge, "registry_server")).toMatchObject({ version: null });
  });

  it("input_stays_until_discarded", async () => {
    const { user, stores } = await openRegistry();
    await user.click(await option(/Notes/));
    const folder = () => screen.findByRole("textbox", { name: /folder/ });
    await user.type(await folder(), "/home/me/notes");
    await fromMenu("NOTES_LIMIT", "Edit as JSON");
    await user.click(screen.getByRole("radio", { name: /container image/ }));
    await user.type(screen.getByRole("textbox", { name: MEMBER_NAME }), "-box");
    act(() => stores.navigation.openAdding("bundle"));
    await screen.findByTestId("bundle");
    act(() => stores.navigation.openAdding("registry"));
    expect(await screen.findByRole("radio", { name: /container image/ })).toBeChecked();
    expect(screen.getByRole("textbox", { name: MEMBER_NAME })).toHaveValue("notes-box");
    await user.click(screen.getByRole("radio", { name: /npm package/ }));
    expect(await folder()).toHaveValue("/home/me/notes");
    await user.click(screen.getByRole("button", { name: "Actions for NOTES_LIMIT" }));
    expect(await screen.findByRole("menuitem", { name: "Edit as field" })).toBeVisible();
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Back to the list" }));
    await user.click(await option(/Notes/));
    expect(await folder()).toHaveValue("/home/me/notes");
    act(() => stores.registry.forget());
    await user.click(await option(/Notes/));
    expect(await folder()).toHaveValue("");
  });

  it("refused_install_keeps_input", async () => {
    const { user, bridge } = await openRegistry((fake) => fake.registry.list(many(1)));
    bridge.registry.refusing = { code: "file-unwritable", message: "The members' folder can't be written.", hint: "", member: null };
    await user.click(await option(/server-00000/));
    await user.click(await screen.findByRole("button", { name: "Install" }));
    expect(textOf(await screen.findByTestId("registry-refused"))).toMatchInlineSnapshot(`"The members' folder can't be written. file-unwritable"`);
    expect(screen.getByRole("textbox", { name: MEMBER_NAME })).toHaveValue("server-00000");
  });

  it("install_error_stays_until_server_closes", async () => {
    const { user, bridge, stores } = await openRegistry((fake) => fake.registry.list(many(1)));
    const look = async () => {
      await user.click(within(screen.getByTestId("registry")).getAllByRole("link")[0]!);
      expect(stores.navigation.place.get()).toMatchObject({ kind: "help" });
      act(() => stores.navigation.leaveHelp());
      await screen.findByTestId("registry");
    };
    bridge.registry.refusing = { code: "file-unwritable", message: "The members' folder can't be written.", hint: "", member: null };
    await user.click(await option(/server-00000/));
    await user.click(await screen.findByRole("button", { name: "Install" }));
    await screen.findByTestId("registry-refused");
    await look();
    expect(textOf(await screen.findByTestId("registry-refused"))).toMatchInlineSnapshot(`"The members' folder can't be written. file-unwritable"`);
    await user.click(screen.getByRole("button", { name: "Back to the list" }));
    await user.click(await option(/server-00000/));
    await screen.findByRole("button", { name: "Install" });
    expect(screen.queryByTestId("registry-refused")).toBeNull();
  });
});
