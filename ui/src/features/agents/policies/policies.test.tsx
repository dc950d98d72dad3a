import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { Profile } from "../../../ipc/bindings";
import { mockMember, mockTool, mockView } from "../../../ipc/mock/members";
import { choose } from "../../../testing/choose";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { smithy } from "../testing";
import { NO_RULES } from "./policyWords";

type Manifest = Record<string, "ask" | "deny">;

async function openPolicies(manifest: Manifest = {}, members = [smithy()]) {
  const window = openWindow({ members });
  for (const [key, policy] of Object.entries(manifest)) window.bridge.gateway.policies.manifest.set(key, policy);
  act(() => window.stores.navigation.openAgents("policies"));
  const table = await screen.findByTestId("policy-table");
  const choicesOf = (tool: string) => within(screen.getByTestId("policy-table")).getByRole("group", { name: `Permission for ${tool}`, hidden: true });
  const policyOf = (tool: string) => {
    const row = choicesOf(tool).closest('[role="row"]');
    return `${row?.querySelector("[data-permission]")?.getAttribute("data-permission")} (${row?.lastElementChild?.textContent})`;
  };
  const setPolicy = (tool: string, policy: string) => window.user.click(within(choicesOf(tool)).getByRole("button", { name: policy, hidden: true }));
  const asked = (name: string) => window.bridge.asked.filter((one) => one.name === name).map(({ request }) => request);
  return { ...window, table, policyOf, setPolicy, asked };
}

/** The tool's name in the second cell of each row. */
function toolsIn(table: HTMLElement): (string | undefined)[] {
  return within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.querySelectorAll('[role="gridcell"]')[1]?.querySelector("bdi")?.textContent);
}

const writing: Profile = {
  name: "writing",
  listing: null,
  resultTokens: null,
  rules: { ...NO_RULES, readOnly: "ask" },
  members: [{ member: "smithy", withoutPrefix: false, tools: { kind: "except", tools: ["melt"] }, offers: { kind: "all" }, changes: {} }],
};

describe("permissions of single tools", () => {
  it("are shown with their source", async () => {
    const { policyOf } = await openPolicies({ "smithy/melt": "deny" });
    expect(policyOf("melt")).toBe("deny (plugin.json)");
    expect(policyOf("look")).toBe("allow (Default)");
  });

  it("are set by keys and undone", async () => {
    const { user, table, policyOf, asked } = await openPolicies({ "smithy/melt": "deny" });
    table.focus();
    await user.keyboard("{ArrowDown}a");
    await waitFor(() => expect(policyOf("melt")).toBe("allow (This tool)"));
    await user.keyboard("s");
    await waitFor(() => expect(policyOf("melt")).toBe("ask (This tool)"));
    await user.keyboard("m");
    await waitFor(() => expect(policyOf("melt")).toBe("deny (plugin.json)"));
    expect(table).toHaveFocus();
    expect(asked("set_tool_policies")).toEqual(
      ["allow", "ask", null].map((policy) => ({ profile: null, tools: [{ member: "smithy", tool: "melt", policy }] })),
    );
  });

  it("mark a doubtful read-only label", async () => {
    const tools = [mockTool("post", { name: "send_preview", description: "Shows a message.", hints: { readOnly: true } })];
    const { user, table, asked } = await openPolicies({}, [mockMember(mockView("post"), tools)]);
    const confirm = await within(table).findByRole("button", { name: /Confirm read-only/, hidden: true });
    expect(confirm.getAttribute("aria-description")).toMatchInlineSnapshot(`"The server labels it read-only, but its name or description suggests a change. It counts as a tool that changes data until you confirm the label."`);
    await user.click(confirm);
    expect(await within(table).findByRole("button", { name: /Read-only confirmed/, hidden: true })).toBeVisible();
    table.focus();
    await user.keyboard("c");
    expect(await within(table).findByRole("button", { name: /Confirm read-only/, hidden: true })).toBeVisible();
    expect(asked("confirm_read_only")).toEqual([true, false].map((confirmed) => ({ member: "post", tool: "send_preview", confirmed })));
  });

  it("are set by the choice in the row", async () => {
    const { policyOf, setPolicy } = await openPolicies();
    await setPolicy("look", "Ask");
    await waitFor(() => expect(policyOf("look")).toBe("ask (This tool)"));
  });

  it("offer to undo only the last change", async () => {
    const { user, policyOf, setPolicy } = await openPolicies();
    await setPolicy("look", "Ask");
    expect(await screen.findByText("look on smithy: Ask")).toBeVisible();
    await setPolicy("melt", "Deny");
    expect(await screen.findByText("melt on smithy: Deny")).toBeVisible();
    await waitFor(() => expect(screen.getAllByRole("button", { name: "Undo" })).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(policyOf("melt")).toBe("allow (Default)"));
    expect(policyOf("look")).toBe("ask (This tool)");
  });

  it("show the title of a tool above its name", async () => {
    const tools = [mockTool("post", { name: "send_mail", title: "Post a letter", description: "Sends it." }), mockTool("post", { name: "drop", description: "Drops it." })];
    const { user, table } = await openPolicies({}, [mockMember(mockView("post"), tools)]);
    await waitFor(() => expect(toolsIn(table)).toEqual(["drop", "Post a letter"]));
    expect(within(table).getByText("send_mail")).toBeVisible();
    await user.type(screen.getByLabelText("Filter tools"), "letter");
    await waitFor(() => expect(toolsIn(screen.getByTestId("policy-table"))).toEqual(["Post a letter"]));
  });

  it("report a failed change", async () => {
    const report = { code: "data-unwritable" as const, message: "gateway.json can't be written.", hint: "", member: null };
    const { user, stores } = openWindow({ members: [smithy()], refusing: { set_tool_policies: report } });
    act(() => stores.navigation.openAgents("policies"));
    (await screen.findByTestId("policy-table")).focus();
    await user.keyboard("d");
    expect(await screen.findByText(/gateway.json can't be written/)).toBeVisible();
  });
});

describe("permissions of prompts and resources", () => {
  it("are set like those of tools", async () => {
    const window = openWindow({ members: [smithy()] });
    window.bridge.gateway.policies.offers.set("smithy", ["prompt:review", "resource:smithy://ledger"]);
    act(() => window.stores.navigation.openAgents("policies"));
    const table = await screen.findByTestId("policy-table");
    const row = within(table).getByText("prompt:review").closest('[role="row"]') as HTMLElement;
    expect(row).toHaveTextContent("prompt");
    const choice = (name: string) => within(within(table).getByRole("group", { name: "Permission for prompt:review", hidden: true })).getByRole("button", { name, hidden: true });
    expect(choice("Inherit")).toHaveAttribute("aria-pressed", "true");
    await window.user.click(choice("Ask"));
    await waitFor(() => expect(choice("Ask")).toHaveAttribute("aria-pressed", "true"));
    const asked = window.bridge.asked.filter(({ name }) => name === "set_tool_policies").map(({ request }) => request);
    expect(asked).toEqual([{ profile: null, tools: [{ member: "smithy", tool: "prompt:review", policy: "ask" }] }]);
    expect(screen.getByTestId("policies")).toHaveTextContent("3 tools");
  });
});

describe("many tools at once", () => {
  it("are set together and undone as one", async () => {
    const { user, table, policyOf, asked } = await openPolicies({ "smithy/melt": "ask" });
    table.focus();
    await user.keyboard(" {Shift>}{ArrowDown}{/Shift}");
    const rows = () => within(table).getAllByRole("row", { selected: true });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(table).toHaveAttribute("aria-multiselectable", "true");
    expect(screen.getByRole("group", { name: "Selected tools" })).toHaveTextContent("2 tools selected");
    await user.keyboard("d");
    await waitFor(() => expect(policyOf("look")).toBe("deny (This tool)"));
    expect(policyOf("melt")).toBe("deny (This tool)");
    expect(policyOf("חישול")).toBe("allow (Default)");
    expect(asked("set_tool_policies")).toHaveLength(1);
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(policyOf("melt")).toBe("ask (plugin.json)"));
    expect(policyOf("look")).toBe("allow (Default)");
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Undo/ })).not.toBeInTheDocument());
  });

  it("are all selected by Ctrl+A", async () => {
    const { user, table, policyOf } = await openPolicies();
    table.focus();
    await user.keyboard("{Control>}a{/Control}");
    expect(await screen.findByText("3 tools selected")).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByText("3 tools selected")).not.toBeInTheDocument());
    await user.keyboard("{Control>}a{/Control}");
    await user.click(within(await screen.findByRole("group", { name: "Selected tools" })).getByRole("button", { name: "Ask" }));
    await waitFor(() => expect(policyOf("חישול")).toBe("ask (This tool)"));
    expect(policyOf("look")).toBe("ask (This tool)");
    expect(screen.getByTestId("toast")).toHaveTextContent("3 tools: Ask");
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(policyOf("look")).toBe("allow (Default)"));
  });

  it("exclude hidden rows", async () => {
    const { user, table, asked } = await openPolicies();
    table.focus();
    await user.keyboard("{Control>}a{/Control}");
    await choose(user, screen.getByLabelText("Hints"), "Read-only");
    expect(await screen.findByText("1 tool selected")).toBeVisible();
    screen.getByTestId("policy-table").focus();
    await user.keyboard("d");
    await waitFor(() => expect(asked("set_tool_policies")).toEqual([{ profile: null, tools: [{ member: "smithy", tool: "look", policy: "deny" }] }]));
  });
});

describe("rules for kinds of tools", () => {
  it("preview their changes and are undone", async () => {
    const { user, policyOf, asked, stores } = await openPolicies();
    const rules = screen.getByTestId("policy-rules");
    await user.click(within(within(rules).getByRole("radiogroup", { name: "Destructive tools" })).getByRole("radio", { name: "Ask" }));
    const changes = await within(rules).findByRole("list", { name: "Changes" });
    // `melt` has the destructive hint. The other tool only reports that it changes data, so it counts as destructive.
    expect(within(changes).getAllByRole("listitem").map((one) => one.textContent)).toMatchInlineSnapshot(`
      [
        "smithy meltAllow (Default)becomesAsk (Destructive rule)",
        "smithy חישולAllow (Default)becomesAsk (Destructive rule)",
      ]
    `);
    expect(asked("save_policy_rules")).toEqual([]);
    await user.click(within(rules).getByRole("button", { name: "Save rules" }));
    await waitFor(() => expect(policyOf("melt")).toBe("ask (Destructive rule)"));
    expect(stores.agents.gateway.get()?.rules.destructive).toBe("ask");
    expect(screen.getByTestId("toast")).toHaveTextContent("Rules saved");
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(policyOf("melt")).toBe("allow (Default)"));
  });

  it("warn about labels that can change", async () => {
    const { user, asked } = await openPolicies();
    const rules = screen.getByTestId("policy-rules");
    await user.click(within(rules).getByRole("button", { name: /Use recommended/ }));
    expect(textOf(await within(rules).findByTestId("rules-warning"))).toMatchInlineSnapshot(`"Rules trust the server's labels. smithy can change them at any time."`);
    await user.click(within(rules).getByRole("button", { name: "Require review of changes" }));
    await waitFor(() => expect(asked("hold_changes")).toEqual([{ member: "smithy", hold: true }]));
    await waitFor(() => expect(within(rules).queryByTestId("rules-warning")).not.toBeInTheDocument());
  });

  it("show their state on the Rules button", async () => {
    const { user } = await openPolicies();
    const rules = screen.getByTestId("policy-rules");
    const button = screen.getByRole("button", { name: "Rules" });
    await user.click(within(rules).getByRole("button", { name: /Use recommended/ }));
    expect(textOf(button)).toMatchInlineSnapshot(`"RulesUnsaved changes"`);
    await user.click(within(rules).getByRole("button", { name: "Save rules" }));
    await waitFor(() => expect(button).toHaveTextContent("Warning"));
    await user.click(await within(rules).findByRole("button", { name: "Require review of changes" }));
    await waitFor(() => expect(button).toHaveAccessibleName("Rules"));
  });

  it("are discarded", async () => {
    const { user, asked } = await openPolicies();
    const rules = screen.getByTestId("policy-rules");
    const readOnly = (name: string) => within(within(rules).getByRole("radiogroup", { name: "Read-only tools" })).getByRole("radio", { name });
    await user.click(readOnly("Deny"));
    await user.click(await within(rules).findByRole("button", { name: "Discard" }));
    expect(readOnly("Inherit")).toBeChecked();
    expect(asked("save_policy_rules")).toEqual([]);
  });
});

describe("permissions of a profile", () => {
  it("concern its tools only", async () => {
    const { user, bridge, policyOf, setPolicy, asked } = await openPolicies();
    act(() => void bridge.gateway.change({ profiles: [writing] }));
    await user.click(await screen.findByRole("radio", { name: "writing" }));
    await waitFor(() => expect(policyOf("look")).toBe("ask (Read-only rule (writing))"));
    expect(within(screen.getByTestId("policy-table")).queryByText("melt")).not.toBeInTheDocument();
    await setPolicy("look", "Deny");
    await waitFor(() => expect(policyOf("look")).toBe("deny (This tool (writing))"));
    expect(asked("set_tool_policies")).toEqual([{ profile: "writing", tools: [{ member: "smithy", tool: "look", policy: "deny" }] }]);
    await user.click(screen.getByRole("radio", { name: "Everywhere" }));
    await waitFor(() => expect(policyOf("look")).toBe("allow (Default)"));
  });
});

describe("the catalogue", () => {
  const error = { code: "handshake-failed" as const, message: "The server said nothing.", hint: "Look at its log.", member: "broken" };
  const broken = () => mockMember(mockView("broken", { status: "error", freshness: "unknown", error, listedAtMs: null }), []);
  const asleep = () => mockMember(mockView("asleep", { status: "stopped", freshness: "unknown", listedAtMs: null }), []);
  const off = mockMember(mockView("off", { status: "disabled" }), [mockTool("off", { name: "blow", description: "Blows." })]);

  it("has a row for an unreadable member", async () => {
    const { user, table, asked } = await openPolicies({}, [broken(), asleep(), smithy()]);
    const row = within(table).getByText(/The server said nothing/).closest<HTMLElement>('[role="row"]');
    expect(textOf(row)).toMatchInlineSnapshot(`"Not readableRetryThe server said nothing.handshake-failed"`);
    expect(within(table).getByText(/Not loaded/)).toBeVisible();
    expect(textOf(screen.getByTestId("policy-count"))).toMatchInlineSnapshot(`"3 tools and 2 unread members"`);
    await user.click(within(row!).getByRole("button", { name: "Retry", hidden: true }));
    await waitFor(() => expect(asked("refresh_member")).toEqual([{ member: "broken" }]));
    table.focus();
    await user.keyboard("{Home}r");
    await waitFor(() => expect(asked("refresh_member")).toContainEqual({ member: "asleep" }));
  });

  it("opens the help on an error by key and code", async () => {
    const { user, table, stores } = await openPolicies({}, [broken(), asleep(), smithy()]);
    const code = await within(table).findByRole("link", { name: /^handshake-failed/, hidden: true });
    expect(code).toHaveAttribute("tabindex", "-1");
    table.focus();
    // The first row shows the member whose tools were not read.
    await user.keyboard("{Home}e");
    expect(stores.navigation.place.get()).toMatchObject({ kind: "agents" });
    await user.keyboard("{ArrowDown}e");
    expect(stores.navigation.place.get()).toEqual({ kind: "help", at: "errors#handshake-failed" });
    act(() => stores.navigation.leaveHelp());
    const again = await screen.findByTestId("policy-table");
    const row = within(again).getByText(/The server said nothing/).closest('[role="row"]');
    expect(again).toHaveAttribute("aria-activedescendant", row?.id);
    // In this row, the error spans all columns after the first one.
    expect(within(again).getByText(/The server said nothing/).closest('[role="gridcell"]')).toHaveAttribute("aria-colspan", "4");
    await user.click(within(await screen.findByTestId("policy-table")).getByRole("link", { name: /^handshake-failed/, hidden: true }));
    expect(stores.navigation.place.get()).toEqual({ kind: "help", at: "errors#handshake-failed" });
  });

  it("has the reason of a hidden tool", async () => {
    const { table } = await openPolicies({}, [off, smithy()]);
    expect(within(table).getAllByText(/The member is disabled in plugin.json/)[0]?.closest('[role="row"]')).toHaveTextContent(/blow/);
  });

  it("opens a tool", async () => {
    const { user, table, stores } = await openPolicies();
    table.focus();
    await user.keyboard("{ArrowDown}{Enter}");
    expect(stores.navigation.place.get()).toMatchObject({ kind: "tool", member: "smithy", tool: "melt" });
  });

  it("is filtered and sorted", async () => {
    const { user, table } = await openPolicies({ "smithy/melt": "ask" }, [off, smithy()]);
    await choose(user, screen.getByLabelText("Hints"), "Read-only");
    await waitFor(() => expect(toolsIn(table)).toEqual(["look"]));
    await choose(user, screen.getByLabelText("Hints"), "Any hints");
    await choose(user, screen.getByLabelText("Permission"), "Ask");
    await waitFor(() => expect(toolsIn(table)).toEqual(["melt"]));
    await choose(user, screen.getByLabelText("Source"), "Default");
    expect(textOf(await screen.findByTestId("policies-none"))).toMatchInlineSnapshot(`"No matching tools"`);
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(screen.getByTestId("policy-count")).toHaveTextContent("4 tools"));
    await choose(user, screen.getByLabelText("State"), "Hidden");
    await waitFor(() => expect(toolsIn(screen.getByTestId("policy-table"))).toEqual(["blow"]));
    await choose(user, screen.getByLabelText("State"), "Any state");
    await choose(user, screen.getByLabelText("Sort"), "Sort: Strictest");
    await waitFor(() => expect(toolsIn(screen.getByTestId("policy-table"))[0]).toBe("melt"));
    await user.type(screen.getByLabelText("Filter tools"), "does not come back");
    expect(await screen.findByTestId("policies-none")).toBeVisible();
  });

  it("selects 2,000 tools by one key", async () => {
    const tools = Array.from({ length: 2_000 }, (_, index) => mockTool("warehouse", { name: `item_${index}`, description: `Item ${index}.` }));
    const { user, table, asked } = await openPolicies({}, [mockMember(mockView("warehouse"), tools)]);
    expect(table).toHaveAttribute("aria-rowcount", "2001");
    expect(within(table).getAllByRole("row").length).toBeLessThan(60);
    table.focus();
    await user.keyboard("{Control>}a{/Control}");
    expect(await screen.findByText("2,000 tools selected")).toBeVisible();
    await user.keyboard("s");
    await waitFor(() => expect(asked("set_tool_policies")).toHaveLength(1));
    const [request] = asked("set_tool_policies") as { tools: unknown[] }[];
    expect(request?.tools).toHaveLength(2_000);
  });
});
