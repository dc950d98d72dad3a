import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import type { CallEnd, MemberOffers, ResourceView } from "../../../ipc/bindings";
import type { MockOptions } from "../../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../../ipc/mock/members";
import { NO_OFFERS } from "../../../ipc/mock/offers";
import { axeDefects, PART } from "../../../testing/axe";
import { openWindow } from "../../../testing/open";
import { recorded } from "../../../testing/recorded";
import { textOf } from "../../../testing/text";

const TONES = "Values for tone";

function resource(uri: string, more: Partial<ResourceView> = {}): ResourceView {
  return { uri, name: uri.split("/").at(-1) ?? uri, title: null, description: null, mimeType: null, size: null, ...more };
}

const LIBRARY: Omit<MemberOffers, "member"> = {
  resources: [
    resource("notes://inbox", { name: "inbox", title: "The inbox", description: "What came in", mimeType: "text/markdown", size: 2_048 }),
    resource("notes://archive/2025", { name: "archive", mimeType: "application/json" }),
  ],
  templates: [
    {
      uriTemplate: "notes://{box}/by-day{?from,to}",
      variables: ["box", "from", "to"],
      name: "by day",
      title: "Notes of some days",
      description: null,
      mimeType: "text/plain",
    },
  ],
  prompts: [
    {
      name: "summarise",
      title: "Summarise a box",
      description: "Asks for a summary.",
      arguments: [
        { name: "box", title: null, description: "Which box", required: true },
        { name: "tone", title: "Tone of voice", description: null, required: false },
      ],
    },
    { name: "greet", title: null, description: null, arguments: [] },
  ],
  skills: [],
  problems: [],
};

interface Options extends Omit<MockOptions, "members"> {
  offers?: Partial<Omit<MemberOffers, "member">> | null;
  view?: Parameters<typeof mockView>[1];
}

function openLibrary({ offers = LIBRARY, view = {}, ...rest }: Options = {}) {
  const member = mockMember(mockView("notes", view), [
    mockTool("notes", { name: "link", description: "Links to a note.", input: { type: "object", properties: {} } }),
  ]);
  if (offers) member.offers = { ...NO_OFFERS, ...offers };
  return openWindow({ members: [member], ...rest });
}

/** The recorded error response of a server to a request for an unknown resource. */
const unfit = (): Promise<CallEnd> => Promise.resolve(recorded("read_resource", { uri: "fixture://nowhere" }).end);

const result = (value: unknown): CallEnd => ({ kind: "result", result: JSON.stringify(value), isError: false });
const answer = () => within(screen.getByTestId("answer"));
const list = () => screen.findByTestId("offers");

function asked(bridge: ReturnType<typeof openLibrary>["bridge"], command: string): unknown[] {
  return bridge.asked.filter(({ name }) => name === command).map(({ request }) => request);
}

describe("a member's lists of resources and prompts", () => {
  it("stand on its page with their counts, read once in a run of the member", async () => {
    const { stores, user, bridge } = openLibrary();
    act(() => stores.navigation.openMember("notes"));
    await user.click(await screen.findByRole("tab", { name: "Resources 3" }));
    expect(await screen.findByText(/2 resources, 1 template/)).toBeVisible();
    const options = within(await list()).getAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual([
      "The inboxnotes://inboxtext/markdown2.0 KB",
      "archivenotes://archive/2025application/json",
      "Notes of some daysnotes://{box}/by-day{?from,to}text/plain",
    ]);
    expect(screen.getByRole("tab", { name: "Prompts 2" })).toBeVisible();
    act(() => stores.navigation.openMember("notes", true));
    act(() => stores.navigation.openOffers("notes", "prompts"));
    expect(within(await list()).getAllByRole("option")).toHaveLength(2);
    expect(asked(bridge, "member_offers")).toHaveLength(1);

    // A new run of the member may have other lists, so they are read again.
    act(() => void bridge.change("notes", { sinceMs: Date.now() + 60_000 }));
    await waitFor(() => expect(asked(bridge, "member_offers")).toHaveLength(2));
  });

  it("are read anew when their server says that they changed, and a server that is down is left alone", async () => {
    const { stores, bridge } = openLibrary();
    act(() => stores.navigation.openMember("notes"));
    await screen.findByRole("tab", { name: "Prompts 2" });
    act(() => bridge.changeOffers("notes", { ...LIBRARY, prompts: [] }));
    await screen.findByRole("tab", { name: "Prompts 0" });
    expect(asked(bridge, "member_offers")).toHaveLength(2);

    act(() => void bridge.change("notes", { status: "stopped" }));
    act(() => bridge.changeOffers("notes", LIBRARY));
    await screen.findAllByText(/Stopped/);
    expect(asked(bridge, "member_offers")).toHaveLength(2);
  });

  it("are searched and opened by keyboard alone", async () => {
    const { stores, user } = openLibrary();
    act(() => stores.navigation.openOffers("notes", "resources"));
    const search = await screen.findByRole("searchbox", { name: "Search the resources of notes" });
    search.focus();
    await user.keyboard("days notes");
    expect(within(await list()).getAllByRole("option")).toHaveLength(1);
    await user.keyboard("{Escape}");
    expect(within(await list()).getAllByRole("option")).toHaveLength(3);
    await user.keyboard("{ArrowDown}");
    await waitFor(async () => expect(await list()).toHaveFocus());
    await user.keyboard("{ArrowDown}{Enter}");
    expect(await screen.findByRole("heading", { name: "archive" })).toBeVisible();
    expect(stores.navigation.place.get()).toEqual({ kind: "offer", member: "notes", offer: { kind: "resource", uri: "notes://archive/2025" } });
  });

  it("are where one left them when one comes back from an entry", async () => {
    const { stores, user } = openLibrary();
    act(() => stores.navigation.openOffers("notes", "resources"));
    const search = await screen.findByRole("searchbox", { name: /Search the resources/ });
    await user.type(search, "notes");
    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveFocus());
    await user.click(screen.getByRole("button", { name: "Resources" }));
    expect(await screen.findByRole("searchbox", { name: /Search the resources/ })).toHaveValue("notes");
    await waitFor(() => expect(screen.getByTestId("offers")).toHaveFocus());
    const current = document.getElementById(screen.getByTestId("offers").getAttribute("aria-activedescendant") ?? "");
    expect(current).toHaveTextContent("archive");
  });

  it("say so when no entry has the words", async () => {
    const { stores, user } = openLibrary();
    act(() => stores.navigation.openOffers("notes", "prompts"));
    await user.type(await screen.findByRole("searchbox", { name: /Search the prompts/ }), "zebra");
    expect(textOf(screen.getByTestId("offers-none"))).toMatchInlineSnapshot(`"No matches"`);
    expect(await axeDefects(document.body, PART)).toEqual([]);
  });

  it("draw a screenful of 5,000 entries, and reach the last one", async () => {
    const resources = Array.from({ length: 5_000 }, (_, index) => resource(`rows://${index}`, { name: `row ${index}` }));
    const { stores, user } = openLibrary({ offers: { resources } });
    act(() => stores.navigation.openOffers("notes", "resources"));
    const box = await list();
    expect(within(box).getAllByRole("option").length).toBeLessThan(60);
    box.focus();
    await user.keyboard("{End}");
    const last = await within(box).findByText("row 4999");
    expect(box).toHaveAttribute("aria-activedescendant", last.closest("[role=option]")?.id);
    await user.keyboard("{Enter}");
    expect(stores.navigation.place.get()).toMatchObject({ offer: { uri: "rows://4999" } });
  });

  it("are not asked of a member that is down until a person wants it", async () => {
    const { stores, user, bridge } = openLibrary({ view: { status: "stopped", freshness: "cached" } });
    act(() => stores.navigation.openOffers("notes", "resources"));
    expect(textOf(await screen.findByTestId("offers-unknown"))).toMatchInlineSnapshot(`"notes is stoppedIts resources load when it starts.Start and load"`);
    expect(asked(bridge, "member_offers")).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Start and load" }));
    expect(within(await list()).getAllByRole("option")).toHaveLength(3);
    expect(screen.getByTestId("member-notes")).toHaveAttribute("data-status", "ready");
  });

  it("name the status of a member that needs a review", async () => {
    const { stores } = openLibrary({ view: { status: "unreviewed", freshness: "unknown" } });
    act(() => stores.navigation.openOffers("notes", "resources"));
    expect(textOf(await screen.findByTestId("offers-unknown"))).toMatchInlineSnapshot(`"notes: Needs reviewReview notes before you load its resources.Start and load"`);
    expect(screen.getByRole("button", { name: "Start and load" })).toHaveAttribute("aria-disabled", "true");
  });

  it("tell an empty list from a server without the capability", async () => {
    const { stores } = openLibrary({ offers: {} });
    act(() => stores.navigation.openOffers("notes", "resources"));
    expect(await screen.findByText(/notes has no resources/)).toBeVisible();
    act(() => stores.navigation.openOffers("notes", "prompts"));
    expect(await screen.findByText(/notes has no prompts/)).toBeVisible();
  });

  it("say that a server names no such capability", async () => {
    const { stores, bridge } = openLibrary({ offers: null });
    act(() => stores.navigation.openOffers("notes", "prompts"));
    expect(await screen.findByRole("button", { name: "Load anyway" })).toBeVisible();
    expect(textOf(screen.getByTestId("offers-unknown"))).toMatchInlineSnapshot(`"The server of notes doesn't support promptsLoad anyway"`);
    expect(asked(bridge, "member_offers")).toEqual([]);
  });

  it("say what was left out of them, and which could not be read", async () => {
    const { stores, user } = openLibrary({
      offers: {
        ...LIBRARY,
        problems: [
          { list: "resources", index: 4, name: "broken", reason: "its uri is no text" },
          { list: "templates", index: null, name: null, reason: "the server answered -32603" },
          { list: "prompts", index: 0, name: null, reason: "it has no name" },
        ],
      },
    });
    act(() => stores.navigation.openOffers("notes", "resources"));
    expect(textOf(await screen.findByTestId("offers-problem"))).toMatchInlineSnapshot(`"The list of templates is incomplete: the server answered -32603"`);
    await user.click(screen.getByText(/1 entry of the list can't be used/));
    expect(textOf(screen.getByTestId("offers-left-out"))).toMatchInlineSnapshot(`"resources #4 broken: its uri is no text"`);
    expect(screen.queryByText(/it has no name/)).toBeNull();
  });

  it("show why they could not be read, with a way to try again", async () => {
    const { stores } = openLibrary({
      refusing: { member_offers: { code: "list-failed", message: "The lists could not be read.", hint: "Look at its log.", member: "notes" } },
    });
    act(() => stores.navigation.openOffers("notes", "resources"));
    const told = await screen.findByText(/The lists could not be read/);
    expect(textOf(told.closest("[role=alert]"))).toMatchInlineSnapshot(`"The lists could not be read. list-failedLook at its log.Try again"`);
    expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("can be found in the palette once they are known", async () => {
    const { stores, user } = openLibrary();
    act(() => stores.navigation.openMember("notes"));
    await screen.findByRole("tab", { name: "Resources 3" });
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "summarise");
    await user.click(await screen.findByRole("option", { name: /Summarise a box/ }));
    expect(stores.navigation.place.get()).toEqual({ kind: "offer", member: "notes", offer: { kind: "prompt", prompt: "summarise" } });
  });
});

describe("a resource", () => {
  const open = (options: Options = {}) => {
    const opened = openLibrary(options);
    act(() => opened.stores.navigation.openOffers("notes", "resources"));
    return opened;
  };
  const openInbox = async (options: Options = {}) => {
    const opened = open(options);
    await list();
    act(() => opened.stores.navigation.openOffer("notes", { kind: "resource", uri: "notes://inbox" }));
    await screen.findByRole("heading", { name: "The inbox" });
    return opened;
  };

  it("shows all that its server says of it, and its contents when it is read", async () => {
    const { user, bridge } = await openInbox();
    const page = within(screen.getByRole("article"));
    expect(page.getByText("What came in")).toBeVisible();
    expect(page.getByTestId("uri")).toHaveTextContent("notes://inbox");
    expect(page.getByText("text/markdown")).toBeVisible();
    expect(page.getByText("2.0 KB (2,048 bytes)")).toBeVisible();
    expect(textOf(page.getByTestId("answer-empty"))).toMatchInlineSnapshot(`"Read the resource to see its contents"`);
    await user.click(page.getByRole("button", { name: /Read/ }));
    expect(await answer().findByText("The content of notes://inbox")).toBeVisible();
    expect(answer().getByTestId("answer-status")).toHaveTextContent(/Done/);
    expect(asked(bridge, "read_resource")).toMatchObject([{ member: "notes", uri: "notes://inbox", timeoutMs: null }]);
  });

  it("shows JSON, a picture and bytes each in its own way, and the answer as it came", async () => {
    const { user } = await openInbox({
      onRead: () =>
        Promise.resolve(
          result({
            contents: [
              { uri: "notes://a", mimeType: "application/json", text: '{"depth":{"n":9007199254740993}}' },
              { uri: "notes://b", mimeType: "image/png", blob: "iVBORw0KGgo=" },
              { uri: "notes://c", mimeType: "application/zip", blob: "UEsDBA==" },
              { uri: "notes://d" },
            ],
          }),
        ),
    });
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(await answer().findByText(/9007199254740993/)).toBeVisible();
    expect(answer().getByRole("img")).toHaveAttribute("src", "data:image/png;base64,iVBORw0KGgo=");
    expect(answer().getByText(/application\/zip · 4 B/)).toBeVisible();
    expect(answer().getByText(/that is not a resource/)).toBeVisible();
    await user.click(answer().getByRole("tab", { name: "Raw" }));
    expect(await answer().findByText(/"contents"/)).toBeVisible();
  });

  it("shows progress, can be cancelled by its key, and keeps its last answers", async () => {
    const { user, stores } = await openInbox({
      onRead: async (_method, _params, progress, cancelled) => {
        act(() => progress(1, 4, "first page"));
        await new Promise((resolve) => cancelled.addEventListener("abort", resolve));
        return { kind: "failed", report: { code: "call-cancelled", message: "You cancelled it.", hint: "", member: "notes" }, rpc: null, arguments: [], stderr: [] };
      },
    });
    await user.click(screen.getByRole("button", { name: "Read" }));
    expect(await answer().findByText("first page")).toBeVisible();
    expect(answer().getByRole("progressbar")).toHaveAttribute("value", "1");
    await user.keyboard("{Control>}.{/Control}");
    expect(await answer().findByText("You cancelled it.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Read" }));
    await answer().findByText("first page");
    act(() => stores.navigation.openMember("notes"));
    await screen.findByRole("tab", { name: "Log" });
    act(() => stores.navigation.openOffer("notes", { kind: "resource", uri: "notes://inbox" }));
    // The second request is still running, and the page lists both requests.
    expect(await answer().findByRole("button", { name: /#2 .*Running/ })).toHaveAttribute("aria-current", "true");
    await user.click(answer().getByRole("button", { name: /#1 .*Failed/ }));
    expect(await answer().findByText("You cancelled it.")).toBeVisible();
    expect(await axeDefects(document.body, PART)).toEqual([]);
    await user.click(answer().getByRole("button", { name: "Cancel reading 2" }));
    expect(await answer().findByRole("button", { name: /#2 .*Failed/ })).toBeVisible();
  });

  it("shows the server's error as one, and what is no list of contents as it came", async () => {
    const opened = open({ onRead: unfit });
    await list();
    act(() => opened.stores.navigation.openOffer("notes", { kind: "resource", uri: "else://where" }));
    expect(textOf(await screen.findByTestId("offer-unlisted"))).toMatchInlineSnapshot(`"Not in the list of notes. You can still request it."`);
    await opened.user.click(screen.getByRole("button", { name: "Read" }));
    expect(await answer().findByText("-32002")).toBeVisible();
    expect(answer().getByRole("alert")).toHaveTextContent("Server error");
  });

  it("starts a member that is down, and shows the start", async () => {
    let comeUp: () => void = () => undefined;
    const onStart = () => new Promise<void>((resolve) => (comeUp = resolve));
    const { stores, user } = openLibrary({ view: { status: "stopped", freshness: "cached" }, onStart });
    act(() => stores.navigation.openOffer("notes", { kind: "resource", uri: "notes://inbox" }));
    expect(textOf(await screen.findByTestId("offer-note"))).toMatchInlineSnapshot(`"notes is stopped. Reading starts it."`);
    await user.click(screen.getByRole("button", { name: "Read" }));
    expect(await answer().findByText(/Starting notes/)).toBeVisible();
    comeUp();
    expect(await answer().findByText("The content of notes://inbox")).toBeVisible();
  });

  it("is opened and read from a tool's result that links to it", async () => {
    const { stores, user, bridge } = openLibrary({
      onCall: () => Promise.resolve(result({ content: [{ type: "resource_link", uri: "notes://inbox", name: "inbox" }] })),
    });
    act(() => stores.navigation.openTool("notes", "link"));
    await screen.findByText("Links to a note.");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await user.click(await within(screen.getByTestId("result")).findByRole("button", { name: "Read" }));
    expect(await answer().findByText("The content of notes://inbox")).toBeVisible();
    expect(asked(bridge, "read_resource")).toHaveLength(1);
  });

  it("keeps long names and those that run from right to left in their place", async () => {
    const uri = `notes://${"long/".repeat(80)}end`;
    const { stores } = openLibrary({ offers: { resources: [resource(uri, { name: "تقرير الورشة", description: "وصف" })] } });
    act(() => stores.navigation.openOffer("notes", { kind: "resource", uri }));
    act(() => void stores.offers.read("notes"));
    const heading = await screen.findByRole("heading", { name: "تقرير الورشة" });
    expect(heading).toHaveAttribute("dir", "auto");
    expect(screen.getByTestId("uri")).toHaveAttribute("dir", "ltr");
  });
});

describe("a template of resources", () => {
  const open = async (options: Options = {}, uriTemplate = LIBRARY.templates[0]!.uriTemplate) => {
    const opened = openLibrary(options);
    act(() => opened.stores.navigation.openOffer("notes", { kind: "template", uriTemplate }));
    await screen.findByRole("heading", { level: 1 });
    return opened;
  };

  it("shows the address as its variables are filled in, and reads it", async () => {
    const { user, bridge } = await open();
    expect(screen.getByTestId("uri")).toHaveTextContent("notes:///by-day");
    await user.type(screen.getByRole("combobox", { name: "box" }), "in box/ä");
    await user.type(screen.getByRole("combobox", { name: "to" }), "2026");
    expect(screen.getByTestId("uri")).toHaveTextContent("notes://in%20box%2F%C3%A4/by-day?to=2026");
    expect(textOf(screen.getByTestId("template-left-out"))).toMatchInlineSnapshot(`"Not set: from"`);
    expect(await axeDefects(document.body, PART)).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(asked(bridge, "read_resource")).toMatchObject([{ uri: "notes://in%20box%2F%C3%A4/by-day?to=2026" }]));
    // An empty string is a value, unlike a variable that is not set.
    await user.click(screen.getByRole("button", { name: "More actions for from" }));
    await user.click(await screen.findByRole("menuitem", { name: "Send empty text" }));
    expect(screen.getByTestId("uri")).toHaveTextContent("?from=&to=2026");
    await user.click(screen.getByRole("button", { name: "More actions for to" }));
    expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual(["Clear", "Send empty text"]);
    await user.click(screen.getByRole("menuitem", { name: "Clear" }));
    expect(screen.getByTestId("uri")).toHaveTextContent(/\?from=$/);
  });

  it("lets the whole address be written, and goes back to the variables", async () => {
    const { user, stores } = await open();
    await user.type(screen.getByRole("combobox", { name: "box" }), "a");
    await user.click(screen.getByRole("button", { name: "Edit address" }));
    await user.type(screen.getByRole("textbox", { name: "Address" }), "#x");
    expect(screen.getByTestId("uri")).toHaveTextContent("notes://a/by-day#x");
    act(() => stores.navigation.openMember("notes"));
    await screen.findByRole("tab", { name: "Log" });
    act(() => stores.navigation.openOffer("notes", { kind: "template", uriTemplate: LIBRARY.templates[0]!.uriTemplate }));
    expect(await screen.findByRole("textbox", { name: "Address" })).toHaveValue("notes://a/by-day#x");
    await user.click(screen.getByRole("button", { name: "Edit variables" }));
    expect(screen.getByRole("combobox", { name: "box" })).toHaveValue("a");
  });

  it("takes several values for a variable that is a list", async () => {
    const { user } = await open({}, "files://shelf{/path*}{?tag*}");
    await user.type(screen.getByRole("textbox", { name: "path" }), "a b{Enter}c");
    await user.type(screen.getByRole("textbox", { name: "tag" }), "x{Enter}y");
    expect(screen.getByTestId("uri")).toHaveTextContent("files://shelf/a%20b/c?tag=x&tag=y");
  });

  it("is edited as a whole where it is no template that is known", async () => {
    const { user, bridge } = await open({}, "odd://{=x}/y");
    expect(screen.getByText(/\{=x\} is no expression that is known/)).toBeVisible();
    const field = screen.getByRole("textbox", { name: "Address" });
    expect(field).toHaveValue("odd://{=x}/y");
    await user.clear(field);
    expect(screen.getByRole("button", { name: "Read" }).getAttribute("aria-description")).toMatchInlineSnapshot(`"Enter an address"`);
    await user.type(field, "odd://1/y");
    await user.click(screen.getByRole("button", { name: "Read" }));
    await waitFor(() => expect(asked(bridge, "read_resource")).toMatchObject([{ uri: "odd://1/y" }]));
  });
});

describe("a prompt", () => {
  const open = async (options: Options = {}, prompt = "summarise") => {
    const opened = openLibrary(options);
    act(() => opened.stores.navigation.openOffers("notes", "prompts"));
    await list();
    act(() => opened.stores.navigation.openOffer("notes", { kind: "prompt", prompt }));
    await screen.findByRole("heading", { level: 1 });
    return opened;
  };
  const box = () => screen.getByRole("combobox", { name: /^box/ });

  it("wants its required arguments, sends those that were given, and can be asked without", async () => {
    const onRead = (_method: string, params: object) => ("arguments" in params && JSON.stringify(params.arguments) === "{}" ? unfit() : Promise.resolve(null));
    const { user, bridge } = await open({ onRead });
    expect(box()).toHaveAccessibleDescription("Which box");
    expect(box()).toBeRequired();
    await user.click(screen.getByRole("button", { name: "Get" }));
    expect(textOf(screen.getByText(/Missing required argument/))).toMatchInlineSnapshot(`"Missing required argument: box"`);
    await waitFor(() => expect(box()).toHaveFocus());
    expect(box()).toBeInvalid();
    expect(asked(bridge, "get_prompt")).toEqual([]);
    expect(await axeDefects(document.body, PART)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Get anyway" }));
    expect(await answer().findByText("-32002")).toBeVisible();
    await user.type(box(), "inbox{Enter}");
    expect(await answer().findByText(/box: inbox/)).toBeVisible();
    expect(asked(bridge, "get_prompt")).toMatchObject([{ arguments: {} }, { prompt: "summarise", arguments: { box: "inbox" } }]);
  });

  it("shows its messages by role, and copies all of them", async () => {
    const written: string[] = [];
    const messages = [
      { role: "user", content: { type: "text", text: "Sum it up" } },
      { role: "assistant", content: { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" } },
      { role: "user", content: { type: "resource", resource: { uri: "notes://a", text: "the note" } } },
      { role: "bard", content: [{ type: "text", text: "verse" }] },
    ];
    const { user } = await open({ onRead: () => Promise.resolve(result({ description: "For a box", messages })) }, "greet");
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: (text: string) => Promise.resolve(void written.push(text)) } });
    expect(textOf(screen.getByTestId("prompt-no-arguments"))).toMatchInlineSnapshot(`"This prompt takes no arguments."`);
    await user.keyboard("{Control>}{Enter}{/Control}");
    const [first] = await answer().findAllByRole("group", { name: "Message of user" });
    expect(textOf(first)).toMatchInlineSnapshot(`"userTextRenderedPlainSum it up"`);
    expect(within(answer().getByRole("group", { name: "Message of assistant" })).getByRole("img")).toBeVisible();
    expect(answer().getByRole("group", { name: "Message of bard" })).toHaveTextContent("verse");
    expect(answer().getByText("For a box")).toBeVisible();
    await user.click(answer().getByRole("button", { name: "Copy as text" }));
    await user.click(answer().getByRole("button", { name: "Copy as JSON" }));
    await waitFor(() => expect(written).toHaveLength(2));
    expect(written[0]).toBe("user:\nSum it up\n\nassistant:\n[image image/png]\n\nuser:\nthe note\n\nbard:\nverse");
    expect(JSON.parse(written[1]!)).toEqual({ description: "For a box", messages });
  });

  it("offers values while one types, once the typing rests, with what is known of the others", async () => {
    const { user, bridge } = await open({
      onComplete: ({ argument, value }) =>
        Promise.resolve(argument === "tone" ? ["gravely", "gladly", "plainly"].filter((one) => one.startsWith(value)) : []),
    });
    await user.click(box());
    await user.paste("inbox");
    const tone = screen.getByRole("combobox", { name: "tone" });
    await user.type(tone, "g");
    const values = await screen.findByRole("listbox", { name: TONES });
    expect(within(values).getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["gravely", "gladly"]);
    expect(await axeDefects(document.body, PART)).toEqual([]);
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(tone).toHaveAttribute("aria-activedescendant", within(values).getByText("gladly").closest("[role=option]")?.id);
    await user.keyboard("{Enter}");
    expect(tone).toHaveValue("gladly");
    expect(screen.queryByRole("listbox", { name: TONES })).toBeNull();
    // Enter accepted the completion and did not submit the form.
    expect(asked(bridge, "get_prompt")).toEqual([]);
    expect(asked(bridge, "complete_argument").at(-1)).toEqual({
      member: "notes",
      of: { kind: "prompt", name: "summarise" },
      argument: "tone",
      value: "g",
      known: { box: "inbox" },
    });
  });

  it("asks for them once the typing rests: not at each key, nor for a field that was left before", async () => {
    const { bridge } = await open({ onComplete: () => Promise.resolve([]) });
    const tone = screen.getByRole("combobox", { name: "tone" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      fireEvent.change(box(), { target: { value: "in" } });
      fireEvent.blur(box());
      for (const value of ["g", "gl", "gla"]) {
        fireEvent.change(tone, { target: { value } });
        vi.advanceTimersByTime(150);
      }
      expect(asked(bridge, "complete_argument")).toEqual([]);
      await act(() => vi.advanceTimersByTimeAsync(1_000));
      expect(asked(bridge, "complete_argument")).toMatchObject([{ argument: "tone", value: "gla" }]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps silent when completions fail, and takes no late ones", async () => {
    const waiting: ((values: string[]) => void)[] = [];
    const { user } = await open({
      onComplete: ({ value }) => (value === "x" ? Promise.reject(new Error("no")) : new Promise((resolve) => waiting.push(resolve))),
    });
    await user.type(box(), "x");
    await user.clear(box());
    await user.paste("ab");
    await waitFor(() => expect(waiting).toHaveLength(1));
    await user.type(box(), "c");
    act(() => waiting[0]?.(["abacus"]));
    expect(screen.queryByText("abacus")).toBeNull();
    await waitFor(() => expect(waiting).toHaveLength(2));
    act(() => waiting[1]?.(["abc", "abcess"]));
    // The list omits a completion that equals the text in the field.
    expect((await screen.findAllByRole("option", { name: /^abc/ })).map(({ textContent }) => textContent)).toEqual(["abcess"]);
    await user.keyboard("{Escape}");
    expect(screen.queryByText("abcess")).toBeNull();
    expect(screen.queryByRole("alert", { name: /no/ })).toBeNull();
  });

  it("asks a member that is down for no completions: typing starts nobody", async () => {
    const { stores, user, bridge } = openLibrary();
    act(() => stores.navigation.openOffers("notes", "prompts"));
    await list();
    act(() => void bridge.change("notes", { status: "stopped" }));
    act(() => stores.navigation.openOffer("notes", { kind: "prompt", prompt: "summarise" }));
    await user.type(await screen.findByRole("combobox", { name: /^box/ }), "inbox");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked(bridge, "complete_argument")).toEqual([]);
  });

  it("asks a person what its server wants to know, beside its answer", async () => {
    const opened = await open(
      {
        onRead: async () => {
          const { action } = await opened.bridge.elicit({
            member: "notes",
            message: "Which year?",
            mode: { kind: "form", schema: '{"type":"object","properties":{}}', notes: [] },
          });
          return result({ messages: [{ role: "user", content: { type: "text", text: `year: ${action}` } }] });
        },
      },
      "greet",
    );
    await opened.user.keyboard("{Control>}{Enter}{/Control}");
    expect(await answer().findByText("Which year?")).toBeVisible();
    expect(textOf(answer().getByTestId("question-unsure"))).toMatchInlineSnapshot(`"notes doesn't say which of its calls this belongs to."`);
    await opened.user.click(answer().getByRole("button", { name: "Submit" }));
    expect(await answer().findByText("year: accept")).toBeVisible();
  });
});

describe("a member's skills", () => {
  const ENTRY = "skill://acme/refunds/SKILL.md";
  const GUIDE = "skill://acme/refunds/references/guide.md";
  const digest = `sha256:${"a".repeat(64)}`;
  const skills = [
    { uri: ENTRY, name: "refunds", description: "Pays back", files: [{ uri: ENTRY, size: 2_048, digest }, { uri: GUIDE, size: 1_024, digest }] },
    { uri: "skill://daily/SKILL.md", name: "daily", description: "A report", files: null },
  ];

  it("are listed with their files, and SKILL.md is read when the page opens", async () => {
    const onRead = vi.fn((_method: string, { uri }: { uri?: string }) =>
      Promise.resolve(result({ contents: [{ uri, mimeType: "text/markdown", text: uri === ENTRY ? "---\nname: refunds\ndescription: Processes refunds\n---\n\n# Refunds" : "# The guide" }] })),
    );
    const { stores, user, bridge } = openLibrary({ offers: { skills }, onRead: onRead });
    act(() => stores.navigation.openMember("notes"));
    await user.click(await screen.findByRole("tab", { name: "Skills 2" }));
    expect(await screen.findByText(/2 skills/)).toBeVisible();
    const options = within(await list()).getAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual([`refunds${ENTRY}2 files`, "dailyskill://daily/SKILL.mdgenerated"]);
    await user.click(options[0]!);

    await screen.findByTestId("answer");
    expect(await answer().findByRole("heading", { name: "Refunds" })).toBeVisible();
    expect(answer().getByLabelText("code")).toHaveTextContent("name: refunds");
    const files = within(screen.getByRole("list", { name: "Files" })).getAllByRole("listitem");
    expect(files.map((file) => file.textContent)).toEqual(["SKILL.md2.0 KBRead", "references/guide.md1.0 KBRead"]);
    expect(screen.getByText("2 files, 3.1 KB")).toBeVisible();
    expect(await axeDefects(document.body, PART)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Read references/guide.md" }));
    expect(await answer().findByRole("heading", { name: "The guide" })).toBeVisible();
    expect(asked(bridge, "read_resource").map((request) => (request as { uri: string }).uri)).toEqual([ENTRY, GUIDE]);
  });

  it("without files say that they are generated, and members without skills have no tab", async () => {
    const { stores } = openLibrary({ offers: { skills } });
    act(() => stores.navigation.openOffer("notes", { kind: "skill", uri: "skill://daily/SKILL.md" }));
    act(() => void stores.offers.read("notes"));
    expect(await screen.findByText(/The server generates this skill/)).toBeVisible();
    const { stores: plain } = openLibrary();
    act(() => plain.navigation.openMember("notes"));
    await screen.findByRole("tab", { name: "Prompts 2" });
    expect(screen.queryByRole("tab", { name: /Skills/ })).toBeNull();
  });
});
