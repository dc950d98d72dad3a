import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { Answers } from "../../../ipc/answers";
import { choose } from "../../../testing/choose";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { agentView, agentViewAfterDenial, smithy, viewOfMany } from "../testing";

function openView(answers: Answers = {}) {
  const window = openWindow({ members: [smithy()], answers });
  act(() => {
    window.stores.agents.previewing.set(true);
    window.stores.navigation.openAgents("policies");
  });
  return window;
}

describe("the preview panel", () => {
  it("lists the tools of the selected endpoint", async () => {
    const { user } = openView();
    const table = await screen.findByTestId("agent-tools");
    expect(within(table).getByText("smithy__melt")).toBeVisible();
    await choose(user, screen.getByLabelText("Endpoint"), "smithy");
    await waitFor(() => expect(within(screen.getByTestId("agent-tools")).getByText("melt")).toBeVisible());
    expect(screen.getByText("http://127.0.0.1:19999/members/smithy/mcp")).toBeVisible();
  });

  it("shows the payload and its cost in each mode", async () => {
    const { user } = openView();
    const cost = await screen.findByRole("region", { name: "Tokens" });
    expect(cost).toHaveTextContent(/Compact: 6 tools listed/);
    await choose(user, screen.getByLabelText("Tool list"), "Search");
    await waitFor(() => expect(screen.getByRole("region", { name: "Tokens" })).toHaveTextContent(/Search: 5 tools listed/));
    expect(screen.getByRole("row", { name: /Search/ })).toHaveTextContent("≈ 614 tokens");
    await user.click(screen.getByRole("tab", { name: "Payload" }));
    await waitFor(() => expect(screen.getByRole("tabpanel", { name: "Payload" })).toHaveTextContent(/tools_call_write/));
  });

  it("reports a cut payload", async () => {
    const { user } = openView({ view_as_agent: () => ({ ...agentView, payload: '{"tools":[', payloadBytes: 3_100_000 }) });
    await user.click(await screen.findByRole("tab", { name: "Payload" }));
    expect(textOf(await screen.findByTestId("payload-cut"))).toMatchInlineSnapshot(`"Showing the first 10 B of 3.1 MB. Agents get all of it."`);
  });

  it("reaches each of 2,000 tools by keys", async () => {
    const { user } = openView({ view_as_agent: viewOfMany });
    const table = await screen.findByTestId("agent-tools");
    expect(table).toHaveAttribute("aria-rowcount", "2001");
    expect(within(table).getAllByRole("row").length).toBeLessThan(60);
    table.focus();
    await user.keyboard("{End}");
    await waitFor(() => expect(within(table).getByText("warehouse__item_1999")).toBeVisible());
    const active = table.getAttribute("aria-activedescendant") ?? "";
    expect(document.getElementById(active)).toHaveTextContent("warehouse__item_1999");
  });

  it("moves a denied tool to the hidden ones", async () => {
    const { user, bridge } = openView();
    const isDenied = () => bridge.asked.some(({ name }) => name === "set_tool_policies");
    bridge.answers.view_as_agent = () => (isDenied() ? agentViewAfterDenial : agentView);
    await screen.findByTestId("agent-tools");
    const table = await screen.findByTestId("policy-table");
    table.focus();
    await user.keyboard("{ArrowDown}d");
    await waitFor(() => expect(screen.getByRole("tab", { name: "Hidden (1)" })).toBeVisible());
    await waitFor(() => expect(within(screen.getByTestId("agent-tools")).queryByText("smithy__melt")).not.toBeInTheDocument());
    await user.click(screen.getByRole("tab", { name: "Hidden (1)" }));
    const withheld = await screen.findByRole("list", { name: "Hidden tools" });
    expect(withheld).toHaveTextContent(/melt/);
    expect(withheld).toHaveTextContent(/Change the permission on the Agents page/);
    expect(bridge.asked).toContainEqual({ name: "set_tool_policies", request: { profile: null, tools: [{ member: "smithy", tool: "melt", policy: "deny" }] } });
  });

  it("follows a change of a member's list", async () => {
    const { bridge } = openView();
    await screen.findByText("smithy__melt");
    bridge.answers.view_as_agent = () => ({ ...agentView, tools: agentView.tools.map((tool) => ({ ...tool, name: "smithy__cast" })).slice(0, 1) });
    act(() => bridge.relist("smithy", []));
    await waitFor(() => expect(screen.getByText("smithy__cast")).toBeVisible());
  });

  it("sorts members by cost", async () => {
    const { user } = openView({ view_as_agent: viewOfMany });
    await user.click(await screen.findByRole("tab", { name: "Cost" }));
    const [, first, second] = screen.getAllByRole("table").at(-1)!.querySelectorAll("tr");
    expect(first).toHaveTextContent(/^warehouse2,000/);
    expect(second).toHaveTextContent(/^smithy3/);
  });

  it("explains each match of a search", async () => {
    const { user, stores } = openView();
    await user.click(await screen.findByRole("tab", { name: "Search" }));
    await user.type(screen.getByLabelText(/Describe a task/), "melt the piece");
    const found = await screen.findByRole("list", { name: "Matching tools" });
    const [best] = within(found).getAllByRole("listitem");
    expect(textOf(best)).toMatchInlineSnapshot(`"1smithy__melt2.5Melts a piece…name: melt · first sentence: melt, piece · about parameters: piece"`);
    expect(screen.getByText(/\d tools? found/)).toBeVisible();
    await user.click(within(best!).getByRole("button", { name: "smithy__melt" }));
    expect(stores.navigation.place.get()).toMatchObject({ kind: "tool", tool: "melt" });
  });

  it("reports a search without matches", async () => {
    const { user } = openView();
    await user.click(await screen.findByRole("tab", { name: "Search" }));
    await user.type(screen.getByLabelText(/Describe a task/), "zeppelin");
    expect(await screen.findByText(/No tools match/)).toBeVisible();
  });
});
