import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { MockBridge, type MockOptions } from "../../ipc/mock";
import { mockPlace, mockServer } from "../../ipc/mock/found";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { record } from "../history/testing";
import { openOn, openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { tryOut } from "./trying";

const NOW = {
  type: "object",
  properties: { time_zone: { type: "string" } },
  examples: [{ time_zone: "Asia/Tokyo" }],
};

function clock(changes: Parameters<typeof mockView>[1] = {}) {
  return mockMember(mockView("clock", changes), [
    mockTool("clock", { name: "reset_all", description: "Resets.", hints: { destructive: true } }),
    mockTool("clock", { name: "now", description: "The time.", input: NOW }),
  ], { command: "${GUILDHALL} sample-member clock --stdio" });
}

function library(readOnly = true) {
  return mockMember(mockView("library"), [
    mockTool("library", { name: "shelve", description: "" }),
    mockTool("library", { name: "look_up", description: "", hints: { readOnly } }),
  ]);
}

const step = (name: string) => screen.getByTestId(`step-${name}`);
const open = (options: MockOptions) => openWindow(options);

function recordOfAgent(bridge: MockBridge): void {
  const end = { kind: "result", result: "{}", isError: false } as const;
  const outcome = { call: "agent-1", member: "clock", tool: "now", startedAtMs: Date.now(), durationMs: 3, request: null, structured: null, end };
  bridge.history.record(outcome, "{}", {}, { caller: "agent", client: "claude-code", session: null });
}

describe("what is put away", () => {
  it("leaves the focus on the page", async () => {
    const { user } = open({ members: [clock()] });
    await user.click(screen.getByRole("button", { name: "Skip the tour" }));
    expect(document.activeElement?.closest("main")).not.toBeNull();
    await user.click(within(screen.getByTestId("first-steps")).getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByTestId("first-steps")).toBeNull();
    expect(document.activeElement?.closest("main")).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Show the first steps" }));
    expect(screen.getByTestId("first-steps")).toBeVisible();
    expect(document.activeElement?.closest("main")).not.toBeNull();
  });
});

describe("the first step", () => {
  it("opens nothing once the person has gone elsewhere, or it is wanted no more", async () => {
    const { bridge, stores } = open({ members: [clock({ status: "starting", tools: 0 }), library()] });
    const left = tryOut(stores);
    act(() => stores.navigation.openMember("library"));
    const here = stores.navigation.place.get();
    let wanted = true;
    const ended = tryOut(stores, false, () => wanted);
    wanted = false;
    act(() => void bridge.change("clock", { status: "ready", tools: 2 }));
    await act(() => Promise.all([left, ended]));
    expect(stores.navigation.place.get()).toBe(here);
  });

  it("opens the sample with its form filled, and one key runs it", async () => {
    const { user, bridge, stores } = open({ members: [clock()] });
    await user.click(within(step("try")).getByRole("button", { name: /^Run a tool/ }));
    expect(await screen.findByRole("textbox", { name: /time_zone/ })).toHaveValue("Asia/Tokyo");
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "clock", tool: "now" });
    await waitFor(() => expect(document.activeElement?.closest("main")).not.toBeNull());
    expect(bridge.asked.filter(({ name }) => name === "invoke_tool")).toEqual([]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(bridge.asked.filter(({ name }) => name === "invoke_tool")).toHaveLength(1));
    expect(bridge.asked.find(({ name }) => name === "invoke_tool")?.request).toMatchObject({
      member: "clock",
      tool: "now",
      arguments: '{"time_zone":"Asia/Tokyo"}',
    });
    await waitFor(() => expect(screen.getByTestId("result")).toHaveTextContent("Asia/Tokyo"));
    act(() => stores.navigation.place.set({ kind: "welcome" }));
    await waitFor(() => expect(step("try")).toHaveAttribute("data-done", "true"));
  });

  it("waits for the sample while it comes up, and says so", async () => {
    const coming = clock({ status: "starting", freshness: "unknown" });
    const view = { ...coming.view, tools: 0 };
    const bridge = new MockBridge({ members: [{ ...coming, view }, library()] });
    const { user, stores } = openOn(bridge);
    const button = within(step("try")).getByRole("button", { name: /^Run a tool/ });
    await user.click(button);
    expect(textOf(await within(step("try")).findByTestId("step-try-says"))).toMatchInlineSnapshot(`"Opens when the first tools are ready…"`);
    expect(button).toHaveAttribute("aria-busy", "true");
    // The server is ready, but its tools are not listed yet.
    await act(async () => {
      bridge.change("clock", { status: "ready", freshness: "unknown" });
      await Promise.resolve();
    });
    expect(stores.navigation.place.get()).toEqual({ kind: "welcome" });
    expect(button).toHaveAttribute("aria-busy", "true");
    act(() => void bridge.change("clock", { freshness: "live", tools: 2 }));
    await waitFor(() => expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "clock", tool: "now" }));
  });

  it("takes a tool that only reads where the sample is not there, and never another", async () => {
    const { user, stores } = open({ members: [library()] });
    await user.click(within(step("try")).getByRole("button", { name: /^Run a tool/ }));
    await waitFor(() => expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "library", tool: "look_up" }));
  });

  it("opens the member where none of its tools is known to only read", async () => {
    const { user, stores } = open({ members: [library(false)] });
    await user.click(within(step("try")).getByRole("button", { name: /^Run a tool/ }));
    await waitFor(() => expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "library" }));
  });

  it("says why where the tool can't be read", async () => {
    const { user } = open({ members: [clock()], refusing: { tool_detail: { code: "tool-unknown", message: "It is gone.", hint: "", member: "clock" } } });
    await user.click(within(step("try")).getByRole("button", { name: /^Run a tool/ }));
    expect(textOf(await screen.findByTestId("notice"))).toMatchInlineSnapshot(`"clock: It is gone."`);
  });
});

describe("the steps", () => {
  it("name one that is next, and say of each how far it is", async () => {
    const { bridge } = open({ members: [clock()] });
    await waitFor(() => expect(bridge.asked.some(({ name }) => name === "found_servers")).toBe(true));
    expect(document.querySelectorAll('[aria-current="step"]')).toHaveLength(1);
    expect(step("try")).toHaveAttribute("aria-current", "step");
    expect(step("agent")).toHaveAttribute("data-done", "false");
    expect(textOf(step("agent"))).toMatchInlineSnapshot(`"Connect an appGive Claude Code, Cursor or VS Code all your tools at one URL.Connect…"`);
    await waitFor(() => expect(step("found")).toHaveAttribute("data-done", "true"));
  });

  it("name the apps with new servers, lead to their commands, and put them away for good", async () => {
    const bridge = new MockBridge({ members: [clock()] });
    const cursor = mockPlace({ program: "cursor", title: "Cursor", path: "/home/me/.cursor/mcp.json" });
    bridge.found.servers = [mockServer("files", { places: [mockPlace(), cursor] })];
    const line = bridge.found.servers[0]!.commandLine;
    const { user, stores, unmount } = openOn(bridge);
    const review = await within(step("found")).findByRole("button", { name: "Review 1 server" });
    expect(textOf(within(step("found")).getByTestId("step-found-says"))).toMatchInlineSnapshot(`"Found 1 server in Claude Desktop and Cursor. Nothing runs until you import it."`);
    expect(screen.queryByText(line)).toBeNull();
    await user.click(review);
    expect(await screen.findByText(line)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(bridge.asked.some(({ name }) => name === "adopt_servers")).toBe(false);
    await user.click(within(step("found")).getByRole("button", { name: "Skip" }));
    expect(step("found")).toHaveAttribute("data-done", "true");
    expect(stores.found.count.get()).toBe(1);
    unmount();
    openOn(bridge);
    await waitFor(() => expect(step("found")).toHaveAttribute("data-done", "true"));
  });

  it("lead to the found servers and to the agents' page", async () => {
    const { user, stores } = open({ members: [clock()] });
    await user.click(within(step("agent")).getByRole("button", { name: "Connect…" }));
    expect(stores.navigation.place.get()).toEqual({ kind: "agents", tab: "connect" });
    act(() => stores.navigation.place.set({ kind: "welcome" }));
    await user.click(within(step("found")).getByRole("button", { name: "Open" }));
    expect(await screen.findByTestId("found-says")).toBeVisible();
  });

  it("know what was done before this window, and hear of an agent's first call", async () => {
    const bridge = new MockBridge({ members: [clock()] });
    record(bridge, { member: "clock", tool: "now" });
    openOn(bridge);
    await waitFor(() => expect(step("try")).toHaveAttribute("data-done", "true"));
    expect(step("agent")).toHaveAttribute("data-done", "false");
    act(() => recordOfAgent(bridge));
    await waitFor(() => expect(step("agent")).toHaveAttribute("data-done", "true"));
    expect(step("agent")).toHaveTextContent("claude-code called clock/now");
  });

  it("are put away for good, and come back from the palette", async () => {
    const { user, unmount } = open({ members: [clock()] });
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByTestId("first-steps")).toBeNull();
    unmount();
    const { user: again } = open({ members: [clock()] });
    expect(screen.queryByTestId("first-steps")).toBeNull();
    expect(screen.getByRole("heading", { name: "Your guild" })).toBeVisible();
    await again.keyboard("{Control>}k{/Control}");
    await again.type(await screen.findByTestId("palette-input"), ">first steps{Enter}");
    expect(await screen.findByTestId("first-steps")).toBeVisible();
  });
});

describe("recent calls", () => {
  function openRecent(hints: { destructive?: boolean } = {}) {
    const bridge = new MockBridge({ members: [mockMember(mockView("forge"), [mockTool("forge", { name: "heat", title: "Heat a piece", description: "", hints })])] });
    record(bridge);
    return openOn(bridge);
  }
  const calls = (bridge: MockBridge) => bridge.asked.filter(({ name }) => name === "invoke_tool");

  it("show the tool's title and run again", async () => {
    const { user, bridge } = openRecent();
    await user.click(await screen.findByRole("button", { name: "Run Heat a piece again" }));
    expect(await screen.findByRole("heading", { name: "Heat a piece" })).toBeVisible();
    await waitFor(() => expect(calls(bridge)).toHaveLength(1));
  });

  it("open in History if the tool is destructive", async () => {
    const { user, bridge } = openRecent({ destructive: true });
    await user.click(await screen.findByRole("button", { name: "Run Heat a piece again" }));
    expect(await screen.findByTestId("history-entry")).toBeVisible();
    expect(calls(bridge)).toEqual([]);
  });
});

describe("what starts", () => {
  it("is told with all that it runs before the shell hears that the window is there", async () => {
    const members = [clock({ status: "stopped" }), mockMember(mockView("archive", { lifecycle: "on-demand", status: "stopped" }), [])];
    const bridge = new MockBridge({ members });
    const told: string[] = [];
    const ready = bridge.ready.bind(bridge);
    bridge.ready = (listens) => {
      told.push(screen.getByTestId("starts").textContent);
      ready(listens);
    };
    openOn(bridge);
    await waitFor(() => expect(bridge.readied).toEqual([true]));
    expect(told[0]).toMatchInlineSnapshot(`"2 members start with Guild Hallarchive Stopped · on demandguildhall member archiveclock Stopped · part of Guild Hall\${GUILDHALL} sample-member clock --stdio"`);
    expect(told[0]).toContain("${GUILDHALL} sample-member clock --stdio");
    expect(bridge.asked.map(({ name }) => name).filter((name) => name.startsWith("start") || name.startsWith("invoke"))).toEqual([]);
  });

  it("is not asked for where the first steps were put away", async () => {
    const { user, unmount } = open({ members: [clock()] });
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    unmount();
    const { bridge } = open({ members: [clock()] });
    await waitFor(() => expect(bridge.readied).toEqual([true]));
    expect(bridge.asked.some(({ name }) => name === "member_detail")).toBe(false);
  });
});

describe("a pending approval", () => {
  const ask = (bridge: MockBridge, tool: string) => act(() => void bridge.gateway.askFor({ member: "library", tool, arguments: "{}" }));
  const denyButton = async (tool: string) =>
    within(await screen.findByRole("region", { name: "Needs attention" })).findByRole("button", { name: new RegExp(`^Deny ${tool} to`) });
  const settled = (button: HTMLElement) => waitFor(() => expect(button).toHaveAttribute("aria-disabled", "false"));
  const decisions = (bridge: MockBridge) => bridge.asked.filter(({ name }) => name === "decide_approval");

  it("is denied once by a double press", async () => {
    const { user, bridge } = open({ members: [library()], silent: ["decide_approval"] });
    ask(bridge, "shelve");
    const deny = await denyButton("shelve");
    await settled(deny);
    await user.dblClick(deny);
    expect(decisions(bridge)).toHaveLength(1);
    expect(deny).toHaveAttribute("aria-disabled", "true");
  });

  it("is not denied by a press meant for the row before", async () => {
    const { user, bridge } = open({ members: [library()] });
    ask(bridge, "shelve");
    ask(bridge, "look_up");
    const [first, second] = [await denyButton("shelve"), await denyButton("look_up")];
    await settled(first);
    await user.click(first);
    await waitFor(() => expect(first).not.toBeInTheDocument());
    expect(screen.getByRole("region", { name: "Needs attention" })).toHaveFocus();
    await user.click(second);
    expect(decisions(bridge)).toHaveLength(1);
    await settled(second);
    await user.click(second);
    await waitFor(() => expect(second).not.toBeInTheDocument());
    expect(document.activeElement?.closest("main")).not.toBeNull();
  });
});

describe("what is kept of the first steps", () => {
  it.each(["", "7", "{", '{"left":"yes"}', "null"])("is nothing where %j stands there", (text) => {
    localStorage.setItem("guild-hall.first-run", text);
    expect(openWindow({ members: [] }).stores.firstRun.kept.get()).toEqual({ left: false, foundLeft: false });
  });
});
