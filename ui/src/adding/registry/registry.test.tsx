import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { Commands } from "../../bridge/bindings";
import type { FakeBridge } from "../../bridge/fake";
import { openWindow } from "../../testing/open";
import { fill, LONG, many, NOTES, UNREAD } from "./testing";

async function openRegistry(prepare: (bridge: FakeBridge) => void = fill) {
  const window = openWindow({ members: [], picks: "/home/me/servers.json" });
  prepare(window.bridge);
  act(() => window.house.openAdding("registry"));
  await screen.findByTestId("registry");
  return window;
}

const list = () => screen.findByRole("listbox", { name: "Listed servers" });
const option = (name: RegExp) => screen.findByRole("option", { name });
const asked = (bridge: FakeBridge, command: string) => bridge.asked.filter(({ name }) => name === command);
const lastAsked = (bridge: FakeBridge, command: string) => asked(bridge, command).at(-1)?.request;

/** Sources that are named, or removed, are taken, or refused, only once a test lets them be. */
function holdSources(bridge: FakeBridge, held: keyof Commands = "add_registry_source"): () => Promise<void> {
  const call = bridge.call.bind(bridge);
  const ends: (() => void)[] = [];
  bridge.call = async (name, request) => {
    if (name === held) await new Promise<void>((resolve) => ends.push(resolve));
    return call(name, request);
  };
  return () =>
    act(async () => {
      ends.pop()?.();
      await Promise.resolve();
    });
}

describe("a registry", () => {
  it("is none before a person names one, and an address is read once it is named", async () => {
    const { user, bridge } = await openRegistry(() => undefined);
    expect(await screen.findByTestId("registry-empty")).toHaveTextContent("None is named yet");
    bridge.registry.onRead = () => Promise.resolve([NOTES]);
    await user.type(screen.getByRole("textbox", { name: /An address/ }), "http://registry.example");
    await user.click(screen.getByRole("button", { name: "Add" }));
    expect(await screen.findByTestId("registry-source-refused")).toHaveTextContent("is no source");
    await user.clear(screen.getByRole("textbox", { name: /An address/ }));
    await user.type(screen.getByRole("textbox", { name: /An address/ }), "https://registry.example");
    await user.click(screen.getByRole("button", { name: "Add" }));
    expect(await option(/Notes, com.example\/notes/)).toBeInTheDocument();
    expect(asked(bridge, "read_registry")).toHaveLength(1);
    await waitFor(() => expect(screen.getByTestId("registry-age")).toHaveTextContent("1 server, read just now"));
  });

  it("gives the focus to what takes the place of the first one's form, and of the last one's question", async () => {
    const { user } = await openRegistry(() => undefined);
    await user.type(await screen.findByRole("textbox", { name: /An address/ }), "/home/me/first.json{Enter}");
    const picker = await screen.findByRole("combobox", { name: "Source" });
    expect(picker).toHaveFocus();
    await user.click(screen.getByRole("button", { name: "Remove…" }));
    await user.click(screen.getByRole("button", { name: "Remove it" }));
    expect(await screen.findByTestId("registry-empty")).toBeVisible();
    expect(screen.getByRole("textbox", { name: /An address/ })).toHaveFocus();
  });

  it("is a file that the system's dialog chose", async () => {
    const { user, bridge } = await openRegistry(() => undefined);
    await user.click(await screen.findByRole("button", { name: "Choose a file…" }));
    await waitFor(() => expect(lastAsked(bridge, "add_registry_source")).toEqual({ source: "/home/me/servers.json" }));
    expect(asked(bridge, "read_registry")).toHaveLength(0);
  });

  it("that was never read says so, tells how far the reading is, and can be left", async () => {
    const { user, bridge } = await openRegistry((fake) => {
      fake.registry.list([], UNREAD);
      fake.registry.onRead = (_, progress) => {
        progress("1,200 servers so far");
        return new Promise(() => undefined);
      };
    });
    expect(await screen.findByText("Nothing is known of it yet: read it first.")).toBeVisible();
    expect(asked(bridge, "read_registry")).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: "Read it" }));
    await waitFor(() => expect(screen.getByTestId("registry-age")).toHaveTextContent("1,200 servers so far"));
    const cancel = screen.getByRole("button", { name: "Cancel" });
    expect(cancel).toHaveFocus();
    await user.click(cancel);
    expect(await screen.findByRole("button", { name: "Read it" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Read it" })).toHaveFocus();
    expect(screen.queryByTestId("registry-unread")).toBeNull();
  });

  it("that can't be read keeps what was read before", async () => {
    const { user, bridge } = await openRegistry();
    await list();
    bridge.registry.onRead = () => Promise.reject(new Error("unreachable"));
    await user.click(screen.getByRole("button", { name: "Read what changed" }));
    expect(await screen.findByTestId("registry-unread")).toBeVisible();
    expect(await option(/Notes/)).toBeInTheDocument();
    expect(lastAsked(bridge, "read_registry")).toMatchObject({ anew: false });
  });

  it("that can't be read says so by a notice where another one is searched by then", async () => {
    const { user, bridge, house } = await openRegistry((fake) => {
      fill(fake);
      fake.registry.list([LONG], { ...UNREAD, source: "https://other.example", asOfMs: 1 });
    });
    await option(/Notes/);
    let fail: () => void = () => undefined;
    bridge.registry.onRead = () => new Promise((_, reject) => { fail = () => reject(new Error("unreachable")); });
    await user.click(screen.getByRole("button", { name: "Read what changed" }));
    await user.selectOptions(screen.getByRole("combobox", { name: "Source" }), "https://other.example");
    await option(/A server of a name/);
    expect(house.hall.notices.get()).toEqual([]);
    act(() => fail());
    await waitFor(() => expect(house.hall.notices.get()).toMatchObject([{ report: { message: expect.stringContaining("unreachable") as string } }]));
    expect(screen.queryByTestId("registry-unread")).toBeNull();
  });

  it("is not asked about any more once another one is searched", async () => {
    const { user } = await openRegistry((fake) => {
      fill(fake);
      fake.registry.list([LONG], { ...UNREAD, source: "https://other.example", asOfMs: 1 });
    });
    await option(/Notes/);
    const picker = screen.getByRole<HTMLSelectElement>("combobox", { name: "Source" });
    const first = picker.value;
    await user.click(screen.getByRole("button", { name: "Remove…" }));
    expect(screen.getByRole("group", { name: "Remove the source" })).toHaveTextContent(first);
    await user.selectOptions(picker, "https://other.example");
    expect(screen.queryByRole("group", { name: "Remove the source" })).toBeNull();
    await user.selectOptions(picker, first);
    expect(screen.queryByRole("group", { name: "Remove the source" })).toBeNull();
  });

  it("is removed after a question, and another one is searched then", async () => {
    const { user } = await openRegistry((fake) => {
      fill(fake);
      fake.registry.list([LONG], { ...UNREAD, source: "https://other.example", asOfMs: 1 });
    });
    await option(/Notes/);
    await user.click(screen.getByRole("button", { name: "Remove…" }));
    await user.click(screen.getByRole("button", { name: "Remove it" }));
    expect(await option(/A server of a name/)).toBeInTheDocument();
    expect(screen.getByRole("combobox", { name: "Source" })).toHaveFocus();
  });

  it.each(["removed", "kept"])("that is %s late takes the focus from nobody who has gone on to another", async (end) => {
    const { user, bridge, house } = await openRegistry((fake) => {
      fill(fake);
      fake.registry.list([LONG], { ...UNREAD, source: "https://other.example", asOfMs: 1 });
    });
    await option(/Notes/);
    const first = house.registry.chosen.get()!;
    const call = bridge.call.bind(bridge);
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => { go = resolve; });
    bridge.call = async (name, request) => {
      if (name === "remove_registry_source") {
        await held;
        if (end === "kept") throw new Error("the disk is full");
      }
      return call(name, request);
    };
    await user.click(screen.getByRole("button", { name: "Remove…" }));
    await user.click(screen.getByRole("button", { name: "Remove it" }));
    await user.selectOptions(screen.getByRole("combobox", { name: "Source" }), "https://other.example");
    const search = screen.getByRole("searchbox", { name: /Search by name/ });
    await user.type(search, "a");
    act(() => go());
    await waitFor(() => expect(house.registry.trying.get().size).toBe(0));
    await waitFor(() => expect(house.hall.notices.get()).toHaveLength(end === "kept" ? 1 : 0));
    expect(house.registry.sources.get()?.some(({ source }) => source === first)).toBe(end === "kept");
    expect(search).toHaveFocus();
  });

  it("leaves the focus at what opened a form or a question that goes with its own press", async () => {
    const { user } = await openRegistry();
    await option(/Notes/);
    const remove = screen.getByRole("button", { name: "Remove…" });
    await user.click(remove);
    await user.click(screen.getByRole("button", { name: "Keep it" }));
    expect(remove).toHaveFocus();
    const add = screen.getByRole("button", { name: "Add a source…" });
    await user.click(add);
    await user.type(screen.getByRole("textbox", { name: /An address/ }), "/home/me/more.json{Enter}");
    await waitFor(() => expect(screen.queryByRole("form", { name: "Add a source" })).toBeNull());
    expect(add).toHaveFocus();
  });

  it("of 10,000 servers is drawn row by row, asked for as one scrolls, and searched by words", async () => {
    const { user, bridge } = await openRegistry((fake) => fake.registry.list(many(10_000)));
    const box = await list();
    expect(await screen.findByText("10,000 servers")).toBeVisible();
    await waitFor(() => expect(within(box).getAllByRole("option").length).toBeGreaterThan(3));
    expect(within(box).getAllByRole("option").length).toBeLessThan(60);
    act(() => box.focus());
    await user.keyboard("{End}");
    expect(await option(/server-09999/)).toBeInTheDocument();
    expect(asked(bridge, "search_registry").length).toBeLessThan(8);
    await user.type(screen.getByRole("searchbox", { name: /Search by name/ }), "server-00042");
    expect(await screen.findByText("1 server")).toBeVisible();
    expect(await option(/server-00042/)).toBeInTheDocument();
    await user.clear(screen.getByRole("searchbox", { name: /Search by name/ }));
    await user.type(screen.getByRole("searchbox", { name: /Search by name/ }), "zeppelin");
    expect(await screen.findByText("None has these words.")).toBeVisible();
  });

  it("is gone through with the keys alone", async () => {
    const { user } = await openRegistry();
    await option(/Notes/);
    const field = screen.getByRole("searchbox", { name: /Search by name/ });
    act(() => field.focus());
    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    const heading = await screen.findByRole("heading", { name: "com.example/old-weather" });
    await waitFor(() => expect(heading).toHaveFocus());
    const server = screen.getByTestId("registry-server");
    expect(server).toHaveTextContent("▲ deprecated");
    expect(server).toHaveTextContent("Use com.example/weather.");
    expect(server).toHaveTextContent("The member weather was installed from here, version 0.9.0; a newer one is listed.");
    await user.click(within(server).getByRole("button", { name: "Close the server" }));
    expect(await list()).toHaveFocus();
  });

  it("with a server that lies open lets the arrow keys go past its tab", async () => {
    const { user } = await openRegistry();
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    act(() => screen.getByRole("tab", { name: "Bundle" }).focus());
    await user.keyboard("{ArrowRight}");
    const tab = screen.getByRole("tab", { name: "Registry" });
    await screen.findByTestId("registry-server");
    expect(tab).toHaveAttribute("aria-selected", "true");
    expect(tab).toHaveFocus();
  });

  it("says which entries are left out, and why", async () => {
    await openRegistry((fake) => {
      fill(fake);
      fake.registry.leftOut = [{ at: 7, name: "no slash", why: "its name is not of the form `com.example/name`" }];
    });
    const left = await screen.findByTestId("registry-left-out");
    expect(left).toHaveTextContent("1 entry left out");
    expect(left).toHaveTextContent("Entry 7 (no slash): its name is not of the form `com.example/name`");
  });

  it("shows what each way would run in full, and why the others can't be installed", async () => {
    const { user, bridge } = await openRegistry();
    await user.click(await option(/Notes/));
    expect(await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'")).toBeVisible();
    expect(screen.getByRole("list", { name: "Environment" })).toHaveTextContent("NOTES_TOKEN=${input:NOTES_TOKEN}");
    await user.click(screen.getByRole("radio", { name: /container image/ }));
    expect(screen.getByText(/docker run -i --rm --network host/)).toBeVisible();
    expect(screen.getByText(/reaches further/)).toBeVisible();
    expect(screen.getByRole("list", { name: "What keeps it from being a member's container" })).toHaveTextContent("the network `host` is not given to members");
    await user.click(screen.getByRole("radio", { name: /bundle/ }));
    expect(screen.getByTestId("registry-unusable")).toHaveTextContent("has to be downloaded first");
    await user.selectOptions(screen.getByRole("combobox", { name: "Version" }), "1.3.0");
    await waitFor(() => expect(lastAsked(bridge, "registry_server")).toMatchObject({ version: "1.3.0" }));
  });

  it("asks by a form, installs what was shown, and leads to the member's review", async () => {
    const { user, bridge, house } = await openRegistry();
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    await user.click(screen.getByRole("button", { name: "Install" }));
    expect(await screen.findByText("✕ 2 answers do not fit")).toBeVisible();
    expect(asked(bridge, "install_registry_server")).toHaveLength(0);
    await user.type(screen.getByRole("textbox", { name: /folder/ }), "/home/me/notes");
    await user.type(screen.getByLabelText(/NOTES_TOKEN/, { selector: "input" }), "planted");
    expect(screen.getByLabelText(/NOTES_TOKEN/, { selector: "input" })).toHaveAttribute("type", "password");
    const name = screen.getByRole("textbox", { name: "Name of the member" });
    await user.clear(name);
    await user.type(name, "-");
    expect(screen.getByRole("button", { name: "Install" })).toHaveAttribute("aria-disabled", "true");
    await user.clear(name);
    await user.type(name, "my-notes");
    await user.click(screen.getByRole("button", { name: "Install" }));
    await waitFor(() => expect(house.place.get()).toEqual({ kind: "member", member: "my-notes", first: "review" }));
    const request = lastAsked(bridge, "install_registry_server") as { answers: string };
    expect(request).toMatchObject({ server: "com.example/notes", version: "1.4.0", way: "way-notes", member: "my-notes" });
    expect(JSON.parse(request.answers)).toEqual({ folder: "/home/me/notes", NOTES_TOKEN: "planted", NOTES_LIMIT: 100 });
  });

  it("says beside the review what keeps the installed server from being the container that was shown", async () => {
    const { user, bridge, house } = await openRegistry((fake) => fake.registry.list(many(1)));
    bridge.registry.besides = {
      warning: { code: "keychain-unanswered", message: "No keychain can be reached.", hint: "", member: null },
      staysCommand: ["the network `host` is not given to members"],
    };
    await user.click(await option(/server-00000/));
    await user.click(await screen.findByRole("button", { name: "Install" }));
    const note = await screen.findByTestId("just-installed");
    expect(note).toHaveTextContent("It stays a command.");
    expect(within(note).getByRole("list", { name: "What keeps it from being a member's container" })).toHaveTextContent("the network `host` is not given to members");
    expect(note).toHaveTextContent("No keychain can be reached.");
    expect(house.spoken.get()).toBe(
      "server-00000 is a member now. It runs when you have accepted what it runs. It stays a command. Its container may go on when the command is ended: the network `host` is not given to members. No keychain can be reached.",
    );
    act(() => house.openReview("server-00000"));
    expect(screen.queryByTestId("just-installed")).toBeNull();
  });

  it("leaves those where they are who went on while it was installed", async () => {
    const { user, bridge, house } = await openRegistry((fake) => fake.registry.list(many(2)));
    let ended: () => void = () => undefined;
    bridge.registry.write = () => new Promise((resolve) => { ended = resolve; });
    const begin = async (server: RegExp) => {
      await user.click(await option(server));
      await user.click(await screen.findByRole("button", { name: "Install" }));
      await screen.findByTitle("It is being installed");
    };
    await begin(/server-00000/);
    await user.click(await option(/server-00001/));
    const from = house.place.get();
    act(() => ended());
    await waitFor(() => expect(house.spoken.get()).toMatch(/^server-00000 is a member now\./));
    expect(house.place.get()).toBe(from);
    bridge.registry.refusing = { code: "file-unwritable", message: "The members' folder can't be written.", hint: "", member: null };
    await begin(/server-00001/);
    act(() => house.openFound());
    act(() => ended());
    await waitFor(() => expect(house.hall.notices.get()).toMatchObject([{ report: { code: "file-unwritable" } }]));
    expect(house.place.get()).toEqual({ kind: "found" });
  });

  it("leaves those at another way or version who went on to it while one was installed, with what they typed there", async () => {
    const { user, bridge, house } = await openRegistry();
    let ended: () => void = () => undefined;
    bridge.registry.write = () => new Promise((resolve) => { ended = resolve; });
    await user.click(await option(/Notes/));
    const folder = () => screen.findByRole("textbox", { name: /folder/ });
    await user.type(await folder(), "/home/me/notes");
    await user.type(screen.getByLabelText(/NOTES_TOKEN/, { selector: "input" }), "planted");
    await user.click(screen.getByRole("button", { name: "Install" }));
    await screen.findByTitle("It is being installed");
    await user.click(screen.getByRole("radio", { name: /container image/ }));
    const name = () => screen.getByRole("textbox", { name: "Name of the member" });
    await user.type(name(), "-box");
    const from = house.place.get();
    act(() => ended());
    await waitFor(() => expect(house.spoken.get()).toMatch(/^notes is a member now\./));
    expect(house.place.get()).toBe(from);
    expect(await screen.findByTestId("installed-meanwhile")).toHaveTextContent("notes is a member now.");
    act(() => house.openAdding("bundle"));
    await screen.findByTestId("bundle");
    act(() => house.openAdding("registry"));
    expect(await screen.findByRole("radio", { name: /container image/ })).toBeChecked();
    expect(name()).toHaveValue("notes-box");

    await user.click(screen.getByRole("button", { name: "Install" }));
    await screen.findByTitle("It is being installed");
    await user.selectOptions(screen.getByRole("combobox", { name: "Version" }), "1.3.0");
    await screen.findByText("npx -y @example/notes@1.0.0");
    await user.type(name(), "-old");
    bridge.registry.refusing = { code: "file-unwritable", message: "The members' folder can't be written.", hint: "", member: null };
    act(() => ended());
    await waitFor(() => expect(house.hall.notices.get()).toMatchObject([{ report: { code: "file-unwritable" } }]));
    expect(screen.queryByTestId("registry-refused")).toBeNull();
    expect(name()).toHaveValue("notes-old");
  });

  it("is still being installed, named or removed for whoever looks elsewhere and comes back, and is so once", async () => {
    const { user, bridge, house } = await openRegistry((fake) => fake.registry.list(many(1)));
    const lookElsewhere = async () => {
      act(() => house.openAdding("bundle"));
      await screen.findByTestId("bundle");
      act(() => house.openAdding("registry"));
      await screen.findByTestId("registry");
    };
    const isBusy = async (name: string, why: string) => {
      const button = await screen.findByRole("button", { name });
      expect(button).toHaveAttribute("title", why);
      expect(button).toHaveAttribute("aria-disabled", "true");
      await user.click(button);
    };
    const other = "https://other.example";
    const addingEnds = holdSources(bridge);
    await option(/server-00000/);
    await user.click(screen.getByRole("button", { name: "Add a source…" }));
    await user.type(screen.getByRole("textbox", { name: /An address/ }), `${other}{Enter}`);
    await lookElsewhere();
    await isBusy("Add", "It is being done");
    await addingEnds();
    await waitFor(() => expect(house.registry.chosen.get()).toBe(other));
    expect(asked(bridge, "add_registry_source")).toHaveLength(1);

    const removingEnds = holdSources(bridge, "remove_registry_source");
    await waitFor(() => expect(house.registry.reading.get()).toBeNull());
    await user.click(screen.getByRole("button", { name: "Remove…" }));
    await user.click(screen.getByRole("button", { name: "Remove it" }));
    await lookElsewhere();
    await isBusy("Remove…", "It is being done");
    await removingEnds();
    await waitFor(() => expect(house.registry.chosen.get()).not.toBe(other));
    expect(asked(bridge, "remove_registry_source")).toHaveLength(1);

    let ended: () => void = () => undefined;
    bridge.registry.write = () => new Promise((resolve) => { ended = resolve; });
    await user.click(await option(/server-00000/));
    await user.click(await screen.findByRole("button", { name: "Install" }));
    await screen.findByTitle("It is being installed");
    await lookElsewhere();
    await isBusy("Install", "It is being installed");
    act(() => ended());
    // Whoever has come back to it is led on as if they had never left.
    await waitFor(() => expect(house.place.get()).toEqual({ kind: "member", member: "server-00000", first: "review" }));
    expect(asked(bridge, "install_registry_server")).toHaveLength(1);
  });

  it("keeps which version was chosen of a server while one looks at another, until it is put away", async () => {
    const { user } = await openRegistry();
    const version = () => screen.getByRole("combobox", { name: "Version" });
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    await user.selectOptions(version(), "1.3.0");
    await screen.findByText("npx -y @example/notes@1.0.0");
    await user.click(await option(/server-00000/));
    await screen.findByRole("heading", { name: "com.example/server-00000" });
    await user.click(await option(/Notes/));
    expect(await screen.findByText("npx -y @example/notes@1.0.0")).toBeVisible();
    expect(version()).toHaveValue("1.3.0");
    await user.click(screen.getByRole("button", { name: "Close the server" }));
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    expect(version()).toHaveValue("1.4.0");
  });

  it("stays at an older version that was installed when members come and go", async () => {
    const { user, bridge, house } = await openRegistry();
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    await user.selectOptions(screen.getByRole("combobox", { name: "Version" }), "1.3.0");
    await screen.findByText("npx -y @example/notes@1.0.0");
    await user.click(screen.getByRole("button", { name: "Install" }));
    await waitFor(() => expect(house.place.get()).toMatchObject({ kind: "member", first: "review" }));
    act(() => house.openAdding("registry"));
    await screen.findByText("npx -y @example/notes@1.0.0");
    const looks = () => asked(bridge, "registry_server").length;
    const before = looks();
    act(() => bridge.remove("forge"));
    await waitFor(() => expect(looks()).toBe(before + 1));
    expect(lastAsked(bridge, "registry_server")).toMatchObject({ version: "1.3.0" });
    expect(screen.getByText("npx -y @example/notes@1.0.0")).toBeVisible();
  });

  it("shows the newest of a server whose older version could not be told, as soon as members come or go", async () => {
    const { user, bridge } = await openRegistry();
    await user.click(await option(/Notes/));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    const call = bridge.call.bind(bridge);
    bridge.call = (name, request) => (name === "registry_server" ? Promise.reject(new Error("it is listed no more")) : call(name, request));
    await user.selectOptions(screen.getByRole("combobox", { name: "Version" }), "1.3.0");
    await screen.findByText(/it is listed no more/);
    bridge.call = call;
    act(() => bridge.remove("forge"));
    await screen.findByText("npx -y @example/notes@1.4.0 '${input:folder}'");
    expect(lastAsked(bridge, "registry_server")).toMatchObject({ version: null });
  });

  it("keeps what was typed for a way while one looks at another or elsewhere, until the server is put away", async () => {
    const { user, house } = await openRegistry();
    await user.click(await option(/Notes/));
    const folder = () => screen.findByRole("textbox", { name: /folder/ });
    await user.type(await folder(), "/home/me/notes");
    const limitAsJson = () => screen.getByRole("button", { name: "Edit NOTES_LIMIT as JSON" });
    await user.click(limitAsJson());
    await user.click(screen.getByRole("radio", { name: /container image/ }));
    await user.type(screen.getByRole("textbox", { name: "Name of the member" }), "-box");
    act(() => house.openAdding("bundle"));
    await screen.findByTestId("bundle");
    act(() => house.openAdding("registry"));
    expect(await screen.findByRole("radio", { name: /container image/ })).toBeChecked();
    expect(screen.getByRole("textbox", { name: "Name of the member" })).toHaveValue("notes-box");
    await user.click(screen.getByRole("radio", { name: /npm package/ }));
    expect(await folder()).toHaveValue("/home/me/notes");
    expect(limitAsJson()).toHaveAttribute("aria-pressed", "true");
    await user.click(screen.getByRole("button", { name: "Close the server" }));
    await user.click(await option(/Notes/));
    expect(await folder()).toHaveValue("");
  });

  it("says why an install was refused, and what was typed stays", async () => {
    const { user, bridge } = await openRegistry((fake) => fake.registry.list(many(1)));
    bridge.registry.refusing = { code: "file-unwritable", message: "The members' folder can't be written.", hint: "", member: null };
    await user.click(await option(/server-00000/));
    await user.click(await screen.findByRole("button", { name: "Install" }));
    expect(await screen.findByTestId("registry-refused")).toHaveTextContent("can't be written");
    expect(screen.getByRole("textbox", { name: "Name of the member" })).toHaveValue("server-00000");
  });

  it("keeps why something was refused while one reads what that means, until it is tried again or put away", async () => {
    const { user, bridge, house } = await openRegistry((fake) => fake.registry.list(many(1)));
    const look = async () => {
      await user.click(within(screen.getByTestId("registry")).getAllByRole("link")[0]!);
      expect(house.place.get()).toMatchObject({ kind: "help" });
      act(() => house.leaveHelp());
      await screen.findByTestId("registry");
    };
    await option(/server-00000/);
    bridge.registry.onRead = () => Promise.reject(new Error("unreachable"));
    await user.click(screen.getByRole("button", { name: "Read what changed" }));
    await screen.findByTestId("registry-unread");
    await look();
    expect(await screen.findByTestId("registry-unread")).toBeVisible();
    bridge.registry.onRead = () => Promise.resolve(many(1));
    await user.click(screen.getByRole("button", { name: "Read what changed" }));
    await waitFor(() => expect(screen.queryByTestId("registry-unread")).toBeNull());

    await user.click(screen.getByRole("button", { name: "Add a source…" }));
    await user.type(screen.getByRole("textbox", { name: /An address/ }), "http://registry.example{Enter}");
    await screen.findByTestId("registry-source-refused");
    await look();
    expect(await screen.findByTestId("registry-source-refused")).toBeVisible();
    expect(screen.getByRole("textbox", { name: /An address/ })).toHaveValue("http://registry.example");
    await user.click(screen.getByRole("button", { name: "Add a source…" }));
    expect(screen.queryByTestId("registry-source-refused")).toBeNull();

    bridge.registry.refusing = { code: "file-unwritable", message: "The members' folder can't be written.", hint: "", member: null };
    await user.click(await option(/server-00000/));
    await user.click(await screen.findByRole("button", { name: "Install" }));
    await screen.findByTestId("registry-refused");
    await look();
    expect(await screen.findByTestId("registry-refused")).toHaveTextContent("can't be written");
    await user.click(screen.getByRole("button", { name: "Close the server" }));
    await user.click(await option(/server-00000/));
    await screen.findByRole("button", { name: "Install" });
    expect(screen.queryByTestId("registry-refused")).toBeNull();
  });

  it("says why a source was refused whose form was put away meanwhile", async () => {
    const { user, bridge, house } = await openRegistry((fake) => fake.registry.list(many(1)));
    await option(/server-00000/);
    const letOneEnd = holdSources(bridge);
    const opener = screen.getByRole("button", { name: "Add a source…" });
    await user.click(opener);
    await user.type(screen.getByRole("textbox", { name: /An address/ }), "http://first.example{Enter}");
    await user.click(opener);
    await letOneEnd();
    await waitFor(() => expect(house.hall.notices.get().map(({ report }) => report.message)).toEqual([expect.stringContaining("http://first.example")]));
    expect(screen.queryByRole("textbox", { name: /An address/ })).toBeNull();
    await user.click(opener);
    expect(screen.queryByTestId("registry-source-refused")).toBeNull();
  });

  it("leaves what is typed for another source while one is added", async () => {
    const { user, bridge, house } = await openRegistry((fake) => fake.registry.list(many(1)));
    await option(/server-00000/);
    bridge.registry.onRead = () => Promise.resolve([NOTES]);
    const field = () => screen.getByRole("textbox", { name: /An address/ });
    const letOneEnd = holdSources(bridge);
    const addAndTypeOn = async (first: string, second: string) => {
      await user.clear(field());
      await user.type(field(), `${first}{Enter}`);
      await user.clear(field());
      await user.type(field(), second);
      await letOneEnd();
    };

    await user.click(screen.getByRole("button", { name: "Add a source…" }));
    await addAndTypeOn("http://first.example", "https://second.example");
    await waitFor(() => expect(house.hall.notices.get().map(({ report }) => report.message)).toEqual([expect.stringContaining("http://first.example")]));
    expect(screen.queryByTestId("registry-source-refused")).toBeNull();
    expect(field()).toHaveValue("https://second.example");

    await addAndTypeOn("https://third.example", "https://fourth.example");
    await waitFor(() => expect(house.registry.chosen.get()).toBe("https://third.example"));
    expect(field()).toHaveValue("https://fourth.example");
  });
});
