import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { MockBridge } from "../../ipc/mock";
import { refusal } from "../../ipc/mock/refusal";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { cancelledEnd, textEnd } from "../../testing/callEnds";
import { choose } from "../../testing/choose";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { chooseMore, forge, record } from "./testing";

const MORE = "More actions for the history";
const SUITE = "/home/me/my checks/forge.suite.json";

function mill() {
  return mockMember(mockView("mill"), [mockTool("mill", { name: "grind", description: "Grinds." })]);
}

/** Opens the History page with the calls that `fill` records. */
async function openPage(fill: (bridge: MockBridge) => void, options: Parameters<typeof openWindow>[0] = {}) {
  const opened = openWindow({ members: [forge(), mill()], ...options });
  act(() => fill(opened.bridge));
  await opened.user.keyboard("{Control>}j{/Control}");
  await screen.findByTestId("history-list");
  return opened;
}

const list = () => within(screen.getByTestId("history-list")).getAllByRole("option");
const asked = (bridge: MockBridge, name: string) => bridge.asked.filter((one) => one.name === name).map(({ request }) => request);
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const dialog = () => screen.findByRole("dialog");

describe("the session filter", () => {
  const fill = (bridge: MockBridge) => {
    record(bridge, { args: '{"path":"mine"}' });
    record(bridge, { args: '{"path":"first"}', agent: "claude-code", atMs: new Date(2026, 10, 28, 10, 2).getTime() });
    record(bridge, { args: '{"path":"second"}', agent: "claude-code" });
    record(bridge, { tool: "melt", agent: "cursor" });
  };
  const CHIP = "Remove filter claude-code · 2026-11-28 10:02 · 2 calls";

  it("offers the newest sessions and filters", async () => {
    const { user, bridge } = await openPage(fill);
    await user.type(screen.getByTestId("history-search"), "sec");
    await waitFor(() => expect(list()).toHaveLength(1));
    await user.click(button("Filter"));
    expect(asked(bridge, "agent_sessions")).toEqual([{ limit: 20 }]);
    await user.keyboard("{End}{ArrowUp}");
    await waitFor(() => expect(screen.getByRole("menuitem", { name: "Session" })).toHaveFocus());
    await user.keyboard("{ArrowRight}");
    await screen.findByRole("menuitem", { name: /^cursor · .* · 1 call$/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("button", { name: CHIP });
    expect(screen.getByTestId("history-search")).toHaveValue("sec");
    const of = { client: "claude-code", session: "claude-code-1", first: 2, last: 3 };
    await waitFor(() => expect(asked(bridge, "search_history").at(-1)).toMatchObject({ filter: { text: "sec", session: of } }));
    await user.clear(screen.getByTestId("history-search"));
    await waitFor(() => expect(list()).toHaveLength(2));
    await user.click(button(CHIP));
    await waitFor(() => expect(list()).toHaveLength(4));
  });

  it("without sessions is unavailable", async () => {
    const { user } = await openPage((bridge) => void record(bridge));
    await user.click(button("Filter"));
    const item = await screen.findByRole("menuitem", { name: "SessionNo agent has called a tool yet" });
    expect(item).toHaveAttribute("aria-disabled", "true");
  });

  it("shows the session of an agent's call", async () => {
    const { user, bridge } = await openPage(fill);
    await user.click(list()[1]!);
    await user.click(await screen.findByRole("button", { name: "More actions for the call" }));
    await user.click(await screen.findByRole("menuitem", { name: "Show session" }));
    expect(asked(bridge, "agent_session")).toEqual([{ id: 3 }]);
    await screen.findByRole("button", { name: CHIP });
    await waitFor(() => expect(list()).toHaveLength(2));
  });

  it("call of the window has no session", async () => {
    const { user } = await openPage((bridge) => void record(bridge));
    await user.click(list()[0]!);
    await user.click(await screen.findByRole("button", { name: "More actions for the call" }));
    await screen.findByRole("menuitem", { name: "Filter by this tool" });
    expect(screen.queryByRole("menuitem", { name: "Show session" })).toBeNull();
  });
});

describe("checks", () => {
  const fill = (bridge: MockBridge) => {
    record(bridge, { args: '{"path":"sword","token":"•••"}', masked: ["/token"] });
    record(bridge, { member: "mill", tool: "grind" });
    record(bridge, { end: textEnd("broke", true) });
  };

  it("are created as examples of all listed calls", async () => {
    const { user, bridge, stores } = await openPage(fill);
    await chooseMore(user, "Create checks…");
    expect(textOf(await dialog())).toMatchInlineSnapshot(`"Create checks from 3 callsGuild Hall repeats each call twice, to find the parts of the results that change, such as times.Save asExamples in plugin.json of forge and millAlso repeat tools that may change dataCancelCreate"`);
    expect(screen.queryByRole("radio", { name: "A suite file" })).toBeNull();
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "Created 2 checks" })).toHaveFocus();
    expect(asked(bridge, "create_checks")).toMatchObject([{ calls: [3, 2, 1], target: { kind: "manifests" }, changing: false }]);
    expect(textOf(screen.getByRole("list", { name: "Created checks" }))).toMatchInlineSnapshot(`"heat 1forge heatthe result succeedsNot compared: /timeAsks for: /tokengrind 2mill grindthe result succeedsNot compared: /time"`);
    expect(textOf(screen.getByRole("list", { name: "Left-out calls" }))).toMatchInlineSnapshot(`"forge heat: it has no result"`);
    expect(screen.queryByTestId("suite-command")).toBeNull();
    await user.click(button("Open mill"));
    expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "mill" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("are created as a suite of the selected calls", async () => {
    const { user, bridge, stores } = await openPage(fill, { picks: SUITE });
    act(() => stores.history.toggleSelected(bridge.history.entryOf(stores.history.log.pages.get().entries[2]!.call)!));
    await user.click(button("Create checks…"));
    await user.click(await screen.findByRole("radio", { name: "A suite file" }));
    const changing = screen.getByRole("checkbox", { name: "Also repeat tools that may change data" });
    await user.click(changing);
    expect(changing).toHaveAccessibleDescription("These calls really run twice, with all their effects.");
    await user.click(button("Create"));
    const command = `guildhall dev --once --suite '${SUITE}'`;
    expect(await screen.findByTestId("suite-command")).toHaveTextContent(command);
    expect(bridge.picked).toEqual([{ kind: "new-file", suggestedName: "forge.suite.json" }]);
    expect(asked(bridge, "create_checks")).toMatchObject([{ calls: [1], target: { kind: "suite", path: SUITE }, changing: true }]);
    await user.click(button("Copy the command"));
    expect(await navigator.clipboard.readText()).toBe(command);
    await user.click(button("Close"));
    await waitFor(() => expect(button("Create checks…")).toHaveFocus());
  });

  it("cancelled request returns to the form", async () => {
    const { user, bridge } = await openPage(fill);
    bridge.history.createChecks = () => new Promise(() => undefined);
    await chooseMore(user, "Create checks…");
    await dialog();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Repeating 3 calls…")).toBeVisible();
    await user.click(button("Cancel"));
    await waitFor(() => expect(screen.queryByText("Repeating 3 calls…")).toBeNull());
    expect(asked(bridge, "cancel_call")).toEqual([{ call: (asked(bridge, "create_checks")[0] as { call: string }).call }]);
    expect(screen.queryByRole("alert")).toBeNull();
    // Cancel works again for the next request.
    await user.click(button("Create"));
    await screen.findByText("Repeating 3 calls…");
    await user.click(button("Cancel"));
    await waitFor(() => expect(asked(bridge, "cancel_call")).toHaveLength(2));
    await waitFor(() => expect(screen.queryByText("Repeating 3 calls…")).toBeNull());
    await user.keyboard("{Escape}");
    await waitFor(() => expect(button(MORE)).toHaveFocus());
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("page change cancels the request", async () => {
    const { user, bridge, stores } = await openPage(fill);
    bridge.history.createChecks = () => new Promise(() => undefined);
    await chooseMore(user, "Create checks…");
    await dialog();
    await user.keyboard("{Enter}");
    await screen.findByText("Repeating 3 calls…");
    act(() => stores.navigation.openHome());
    await waitFor(() => expect(asked(bridge, "cancel_call")).toHaveLength(1));
  });

  it("calls that the history no longer has are counted", async () => {
    const { user, bridge } = await openPage(fill);
    const { createChecks } = bridge.history;
    bridge.history.createChecks = async (request) => ({ ...(await createChecks(request)), leftOut: [], missing: 2 });
    await chooseMore(user, "Create checks…");
    await dialog();
    await user.click(button("Create"));
    expect(textOf(await screen.findByRole("list", { name: "Left-out calls" }))).toMatchInlineSnapshot(`"2 calls were removed from the history"`);
  });

  it("error is shown and the form stays", async () => {
    const { user, bridge } = await openPage(fill);
    bridge.history.createChecks = () => Promise.reject(refusal("recording-unusable", "None of the calls can be used."));
    await chooseMore(user, "Create checks…");
    await dialog();
    await user.click(button("Create"));
    expect(textOf(await screen.findByRole("alert"))).toMatchInlineSnapshot(`"None of the calls can be used. recording-unusable"`);
    expect(button("Create")).toHaveFocus();
  });
});

describe("mock members", () => {
  const fill = (bridge: MockBridge) => {
    record(bridge);
    record(bridge, { member: "mill", tool: "grind" });
    record(bridge, { end: cancelledEnd() });
  };

  it("mock of a chosen member is created", async () => {
    const { user, bridge, stores } = await openPage(fill);
    await chooseMore(user, "Create mock member…");
    await dialog();
    expect(screen.getByRole("textbox", { name: "Name" })).toHaveValue("forge-mock");
    await choose(user, screen.getByRole("combobox", { name: "Member" }), "mill");
    expect(screen.getByRole("textbox", { name: "Name" })).toHaveValue("mill-mock");
    await user.click(screen.getByRole("textbox", { name: "Name" }));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked(bridge, "create_mock")).toEqual([{ calls: [2], of: "mill", member: "mill-mock" }]);
    expect(await screen.findByText("mill-mock answers from 1 call")).toBeVisible();
    await waitFor(() => expect(button(MORE)).toHaveFocus());
    await user.click(button("Open"));
    expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "mill-mock" });
  });

  it("lists the calls that it can't answer from", async () => {
    const { user } = await openPage(fill);
    await chooseMore(user, "Create mock member…");
    await dialog();
    await user.click(button("Create"));
    expect(await screen.findByRole("heading", { name: "Created forge-mock from 1 call" })).toHaveFocus();
    expect(textOf(screen.getByRole("list", { name: "Left-out calls" }))).toMatchInlineSnapshot(`"forge heat: it has no result"`);
  });

  it("taken name is refused at the field", async () => {
    const { user } = await openPage((bridge) => void record(bridge));
    await chooseMore(user, "Create mock member…");
    await dialog();
    const field = screen.getByRole("textbox", { name: "Name" });
    expect(field).toHaveFocus();
    await user.keyboard("mill{Enter}");
    await waitFor(() => expect(field).toBeInvalid());
    expect(textOf(screen.getByRole("alert"))).toMatchInlineSnapshot(`"There is a member called mill. adoption-refused Give another name."`);
    expect(field).toHaveAccessibleDescription(/called mill/);
    expect(field).toHaveFocus();
    await user.type(field, "2");
    expect(field).toBeValid();
    await user.clear(field);
    expect(button("Create")).toHaveAccessibleDescription("Enter a name");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(button(MORE)).toHaveFocus());
  });
});

describe("the reasons why calls can't be used", () => {
  const reasons = async (user: Awaited<ReturnType<typeof openPage>>["user"]) => {
    await user.click(button(MORE));
    return ["Create checks…", "Create mock member…"].map((label) => screen.getByRole("menuitem", { name: new RegExp(`^${label}`) }).textContent.slice(label.length));
  };

  it("are a filter that matches no call", async () => {
    const { user } = await openPage((bridge) => void record(bridge));
    await user.type(screen.getByTestId("history-search"), "anvil");
    await screen.findByTestId("history-unfit");
    expect(await reasons(user)).toEqual(["No calls", "No calls"]);
  });

  it("are too many calls", async () => {
    const { user, bridge, stores } = await openPage((fake) => {
      for (let index = 0; index < 201; index += 1) record(fake);
    });
    const tooMany = "More than 200 calls match. Filter or select calls.";
    expect(await reasons(user)).toEqual([tooMany, tooMany]);
    await user.keyboard("{Escape}");
    const { entries } = (await bridge.call("search_history", { filter: stores.history.log.pages.get().filter, before: null, limit: 201 }));
    act(() => stores.history.selected.set(entries));
    expect(button("Create checks…")).toHaveAccessibleDescription("Select at most 200 calls");
    expect(button("Create mock member…")).toHaveAccessibleDescription("Select at most 200 calls");
  });

  it("are older calls that are not loaded", async () => {
    const { user, stores } = await openPage((bridge) => {
      for (let index = 0; index < 201; index += 1) record(bridge);
    });
    act(() => stores.history.log.hide([201]));
    expect(await reasons(user)).toEqual(Array(2).fill("Scroll down to load the older calls first."));
  });
});
