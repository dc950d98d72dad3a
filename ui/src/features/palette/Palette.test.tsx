import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { chooseMore, record } from "../history/testing";
import { fill, waitingForge } from "../settings/secrets/states";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";

const input = { type: "object", properties: { piece: { type: "string" } } };

function member(name: string, tools: string[], changes: Parameters<typeof mockView>[1] = {}) {
  return mockMember(
    mockView(name, changes),
    tools.map((tool) => mockTool(name, { name: tool, description: tool === "heat" ? "Makes iron glow." : "", input })),
  );
}

function guild() {
  return [
    member("anvil", ["flatten", "shape"], { status: "stopped", freshness: "cached" }),
    member("forge", ["heat", "quench"], { status: "crash-loop", freshness: "outdated" }),
  ];
}

async function type(user: UserEvent, text: string, keys = "k") {
  await user.keyboard(`{Control>}${keys}{/Control}`);
  const field = await screen.findByTestId("palette-input");
  await waitFor(() => expect(field).toHaveFocus());
  if (text !== "") await user.type(field, text);
  return field;
}

const options = () => screen.queryAllByRole("option").map((option) => option.textContent);
const active = () => {
  const id = screen.getByTestId("palette-input").getAttribute("aria-activedescendant");
  return id === null ? null : document.getElementById(id)?.textContent;
};

/** The first result for words that users know from other programs. */
const FIRST: readonly (readonly [string, RegExp])[] = [
  ["home", /^Home/],
  ["welcome", /^Home/],
  ["import", /^Import servers/],
  ["found", /^Import servers/],
  ["discover", /^Import servers/],
  ["other apps", /^Import servers/],
  ["install", /^Add member/],
  ["add", /^Add member/],
  ["new", /^Add member/],
  ["registry", /^Add member/],
  ["token", /^Agents: Connect/],
  ["client", /^Agents: Connect/],
  ["connect", /^Agents: Connect/],
  ["dark", /^Theme: Dark/],
  ["light", /^Theme: Light/],
  ["theme", /^Theme/],
  ["logs", /log/],
  ["stderr", /log/],
  ["keys", /^Keyboard shortcuts/],
  ["shortcuts", /^Keyboard shortcuts/],
  ["bug", /^Save diagnostics/],
  ["report", /^Save diagnostics/],
  ["diagnostics", /^Save diagnostics/],
  ["doctor", /^Run system check/],
  ["check", /^Run system check/],
  ["health", /^Run system check/],
];

describe("the palette", () => {
  it.each(FIRST)("%s finds its action first", async (query, first) => {
    const { stores } = openWindow({ members: guild() });
    act(() => stores.navigation.openMember("forge"));
    act(() => stores.palette.open(query));
    await waitFor(() => expect(active()).toMatch(first));
  });

  it("palette_lists_no_action_that_opens_it", async () => {
    const { user } = openWindow({ members: guild() });
    await type(user, ">find");
    expect(options().filter((label) => label.startsWith("Find a"))).toEqual([]);
  });

  it("waits at Enter for the lists to be read, and opens the best tool", async () => {
    const { user, stores } = openWindow({ members: guild() });
    await type(user, "quench{Enter}");
    await waitFor(() => expect(screen.queryByTestId("palette-input")).toBeNull());
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "quench" });
  });

  it("finds the tools of members that do not run, and asks none to start", async () => {
    const { user, bridge } = openWindow({ members: guild() });
    await type(user, "fl");
    await screen.findByRole("option", { name: /flatten/ });
    expect(bridge.asked.map(({ name }) => name).filter((name) => name.includes("start") || name.includes("refresh"))).toEqual([]);
  });

  it("finds by scattered letters, and by a word with a wrong one", async () => {
    const { user } = openWindow({ members: guild() });
    const field = await type(user, "qnc");
    await screen.findByRole("option", { name: /quench/ });
    await user.clear(field);
    await user.type(field, "flattne");
    await screen.findByRole("option", { name: /flatten/ });
  });

  it("finds tools by their member and their title, and last by their description", async () => {
    const { user } = openWindow({ members: guild() });
    const field = await type(user, "/forge");
    await waitFor(() => expect(options()).toHaveLength(2));
    await user.clear(field);
    await user.type(field, "/iron glow");
    await screen.findByRole("option", { name: /heat/ });
    expect(screen.getByText("Tools with matching descriptions")).toBeVisible();
  });

  it("focuses the first empty required field of a tool", async () => {
    const input = { type: "object", properties: { hammer: { type: "string" }, piece: { type: "string" } }, required: ["piece"] };
    const { user } = openWindow({ members: [mockMember(mockView("forge"), [mockTool("forge", { name: "heat", description: "", input })])] });
    await type(user, "heat{Enter}");
    await waitFor(() => expect(screen.getByRole("textbox", { name: /piece/ })).toHaveFocus());
  });

  it("leaves whoever is in another field of the form before its first frame there", async () => {
    const input = { type: "object", properties: { piece: { type: "string" }, hammer: { type: "string" } } };
    const { stores } = openWindow({ members: [mockMember(mockView("forge"), [mockTool("forge", { name: "heat", description: "", input })])] });
    const frames: FrameRequestCallback[] = [];
    const asked = vi.spyOn(window, "requestAnimationFrame").mockImplementation((frame) => frames.push(frame));
    try {
      act(() => stores.navigation.fillTool("forge", "heat"));
      const second = await screen.findByRole("textbox", { name: /hammer/ });
      act(() => second.focus());
      expect(frames).not.toEqual([]);
      for (const frame of frames) act(() => frame(0));
      expect(second).toHaveFocus();
    } finally {
      asked.mockRestore();
    }
  });

  it("shows tools only by Ctrl+P, all of them before anything is typed", async () => {
    const { user } = openWindow({ members: guild() });
    await type(user, "", "p");
    await waitFor(() => expect(options()).toHaveLength(4));
    expect(screen.getByText("Tools (4)")).toBeVisible();
  });

  it("draws no more rows than fit, of 2,202 tools", async () => {
    const names = Array.from({ length: 2_202 }, (_, index) => `tool_${String(index).padStart(4, "0")}`);
    const { user } = openWindow({ members: [member("big", names)] });
    await type(user, "", "p");
    await screen.findByText("Tools (2,202)");
    expect(options().length).toBeLessThan(60);
    await user.keyboard("{Control>}{End}{/Control}");
    await waitFor(() => expect(active()).toMatch(/tool_2201/));
  });

  it("begins with what was used last, also after a restart", async () => {
    const first = openWindow({ members: guild() });
    act(() => first.stores.navigation.openTool("forge", "quench"));
    act(() => first.stores.navigation.openMember("anvil"));
    first.unmount();
    const { user } = openWindow({ members: guild() });
    await type(user, "");
    await waitFor(() => expect(options().slice(0, 2)).toEqual([expect.stringMatching(/^anvil/), expect.stringMatching(/^quench/)]));
    expect(screen.getByText("Recent")).toBeVisible();
  });

  it("shows what can't be done with the reason, and does not do it", async () => {
    const { user, stores } = openWindow({ members: guild() });
    await type(user, ">cancel");
    expect(textOf(await screen.findByTestId("palette-blocked"))).toMatchInlineSnapshot(`"No call is running"`);
    expect(screen.getByRole("option", { name: /Cancel/ })).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByTestId("palette-input")).toHaveFocus());
    expect(stores.spoken.get()).toMatch(/No call is running/);
  });

  it("says by ? what else can be looked for, and goes on there", async () => {
    const { user } = openWindow({ members: guild() });
    const field = await type(user, "?");
    await user.keyboard("{ArrowDown}");
    await user.click(await screen.findByRole("option", { name: /^members/ }));
    expect(field).toHaveValue("@");
    expect(options()).toEqual([expect.stringMatching(/anvil/), expect.stringMatching(/forge/)]);
  });

  it("walks through the entries round the ends, past the headings", async () => {
    const { user } = openWindow({ members: guild() });
    await type(user, "@");
    expect(active()).toMatch(/anvil/);
    await user.keyboard("{ArrowDown}");
    expect(active()).toMatch(/forge/);
    await user.keyboard("{ArrowDown}");
    expect(active()).toMatch(/anvil/);
    await user.keyboard("{ArrowUp}");
    expect(active()).toMatch(/forge/);
  });

  it("looks for what its other key finds, with the same words, and is closed by the key that it was opened by", async () => {
    const { user, stores } = openWindow({ members: guild() });
    const field = await type(user, "heat");
    await user.keyboard("{Control>}p{/Control}");
    expect(field).toHaveValue("/heat");
    expect(field).toHaveFocus();
    await user.keyboard("{Control>}k{/Control}");
    expect(field).toHaveValue("heat");
    await user.keyboard("{Control>}k{/Control}");
    await waitFor(() => expect(screen.queryByTestId("palette-input")).toBeNull());
    expect(await type(user, "", "p")).toHaveValue("/");
    await user.keyboard("{Control>}p{/Control}");
    await waitFor(() => expect(screen.queryByTestId("palette-input")).toBeNull());
    expect(stores.layers.shown.get()).toEqual([]);
  });

  it("opens nothing of what its other key finds where Enter was pressed before that", async () => {
    const { user, stores } = openWindow({ members: guild(), silent: ["search_history"] });
    const field = await type(user, "#heat{Enter}");
    await user.keyboard("{Control>}p{/Control}");
    expect(field).toHaveValue("/heat");
    await screen.findByRole("option", { name: /heat/ });
    await waitFor(() => expect(screen.getByRole("listbox")).toHaveAttribute("aria-busy", "false"));
    expect(screen.getByTestId("palette-input")).toHaveValue("/heat");
    expect(stores.navigation.place.get()).toMatchObject({ kind: "welcome" });
    await user.keyboard("{Enter}");
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "heat" });
  });

  it.each<[string, object]>([
    ["@anvil", { kind: "member", member: "anvil" }],
    ["#heat", { kind: "history" }],
    [">Saved calls", { kind: "history", tab: "saved" }],
    [">Secrets", { kind: "secrets" }],
  ])("cancels a question of the history where it leads elsewhere: %s", async (text, place) => {
    const { user, bridge, stores } = openWindow({ members: guild() });
    act(() => void record(bridge));
    act(() => stores.navigation.openHistory());
    await screen.findByTestId("history-list");
    await chooseMore(user, "Delete all calls…");
    const question = await screen.findByTestId("clear-question");
    const keep = within(question).getByRole("button", { name: "Cancel" });
    await waitFor(() => expect(keep).toHaveFocus());
    // An action that opens no page keeps the current dialog and its focus.
    await type(user, ">Zoom in{Enter}");
    await waitFor(() => expect(keep).toHaveFocus());
    expect(bridge.zoomed).toBe(1.1);
    expect(question).toBeVisible();
    await type(user, text);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(question).not.toBeInTheDocument());
    expect(screen.queryByTestId("palette-input")).toBeNull();
    expect(stores.navigation.place.get()).toMatchObject(place);
    expect(stores.history.opened.get() !== null).toBe(text === "#heat");
    expect(bridge.asked.map(({ name }) => name)).not.toContain("clear_history");
  });

  it("action on the same page cancels its question", async () => {
    const { user, bridge, stores } = openWindow(waitingForge());
    fill(bridge);
    act(() => stores.navigation.openSecrets());
    await user.click(await screen.findByRole("button", { name: "Remove OLD_KEY" }));
    const question = await screen.findByRole("alertdialog");
    await type(user, ">Search all tools in the roster{Enter}");
    await waitFor(() => expect(question).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByTestId("search")).toHaveFocus());
    expect(bridge.asked.map(({ name }) => name)).not.toContain("remove_secret");
  });

  it("shows the roster of a narrow window where a question of the page lay over it", async () => {
    const { user, bridge, stores } = openWindow(waitingForge());
    fill(bridge);
    act(() => stores.navigation.openSecrets());
    await user.click(await screen.findByRole("button", { name: "Remove OLD_KEY" }));
    const question = await screen.findByRole("alertdialog");
    const width = window.innerWidth;
    window.innerWidth = 480;
    try {
      await type(user, ">Show or hide the roster{Enter}");
      await waitFor(() => expect(question).not.toBeInTheDocument());
      expect(stores.layers.shown.get()).toEqual(["drawer"]);
      await waitFor(() => expect(screen.getByTestId("search")).toHaveFocus());
    } finally {
      window.innerWidth = width;
    }
  });
});
