import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { Profile } from "../../bridge/bindings";
import { fakeMember, fakeTool, fakeView } from "../../bridge/fake/members";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { smithy } from "../testing";
import { NO_RULES } from "./policyWords";

type Manifest = Record<string, "ask" | "deny">;

async function openPolicies(manifest: Manifest = {}, members = [smithy()]) {
  const window = openWindow({ members });
  for (const [key, policy] of Object.entries(manifest)) window.bridge.gateway.policies.manifest.set(key, policy);
  act(() => window.house.openAgents("policies"));
  const table = await screen.findByTestId("policy-table");
  const policyOf = (tool: string) => within(screen.getByTestId("policy-table")).getByRole("combobox", { name: `Policy of ${tool}`, hidden: true });
  const asked = (name: string) => window.bridge.asked.filter((one) => one.name === name).map(({ request }) => request);
  return { ...window, table, policyOf, asked };
}

/** The second cell of each row, its first words. */
function toolsIn(table: HTMLElement): (string | undefined)[] {
  return within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.querySelectorAll('[role="gridcell"]')[2]?.querySelector("bdi")?.textContent);
}

const writing: Profile = {
  name: "writing",
  listing: null,
  rules: { ...NO_RULES, readOnly: "ask" },
  members: [{ member: "smithy", withoutPrefix: false, tools: { kind: "except", tools: ["melt"] }, offers: { kind: "all" }, changes: {} }],
};

describe("the policies of single tools", () => {
  it("are shown with what decided each", async () => {
    const { policyOf } = await openPolicies({ "smithy/melt": "deny" });
    expect(policyOf("melt")).toHaveDisplayValue("deny (the manifest)");
    expect(policyOf("look")).toHaveDisplayValue("allow (the default)");
  });

  it("are set by the keys of a row, and taken back", async () => {
    const { user, table, policyOf, asked } = await openPolicies({ "smithy/melt": "deny" });
    table.focus();
    await user.keyboard("{ArrowDown}a");
    await waitFor(() => expect(policyOf("melt")).toHaveDisplayValue("allow (set by hand)"));
    await user.keyboard("s");
    await waitFor(() => expect(policyOf("melt")).toHaveDisplayValue("ask (set by hand)"));
    await user.keyboard("m");
    await waitFor(() => expect(policyOf("melt")).toHaveDisplayValue("deny (the manifest)"));
    expect(table).toHaveFocus();
    expect(asked("set_tool_policies")).toEqual(
      ["allow", "ask", null].map((policy) => ({ profile: null, tools: [{ member: "smithy", tool: "melt", policy }] })),
    );
  });

  it("say where a name contradicts its server's claim to only read, and let a person confirm that", async () => {
    const tools = [fakeTool("post", { name: "send_preview", description: "Shows a message.", hints: { readOnly: true } })];
    const { user, table, asked } = await openPolicies({}, [fakeMember(fakeView("post"), tools)]);
    const confirm = await within(table).findByRole("button", { name: /Confirm read-only/, hidden: true });
    expect(confirm.getAttribute("title")).toMatchInlineSnapshot(`"Its server says that it only reads, but its name or description says that it changes something. It counts as a tool that changes something until you confirm that it only reads."`);
    await user.click(confirm);
    expect(await within(table).findByRole("button", { name: /Read-only confirmed/, hidden: true })).toBeVisible();
    table.focus();
    await user.keyboard("c");
    expect(await within(table).findByRole("button", { name: /Confirm read-only/, hidden: true })).toBeVisible();
    expect(asked("confirm_read_only")).toEqual([true, false].map((confirmed) => ({ member: "post", tool: "send_preview", confirmed })));
  });

  it("are set by the choice in the row", async () => {
    const { user, policyOf } = await openPolicies();
    await user.selectOptions(policyOf("look"), "ask");
    await waitFor(() => expect(policyOf("look")).toHaveDisplayValue("ask (set by hand)"));
  });

  it("say why one could not be set", async () => {
    const report = { code: "data-unwritable" as const, message: "gateway.json can't be written.", hint: "", member: null };
    const { user, house } = openWindow({ members: [smithy()], refusing: { set_tool_policies: report } });
    act(() => house.openAgents("policies"));
    (await screen.findByTestId("policy-table")).focus();
    await user.keyboard("d");
    expect(await screen.findByText(/gateway.json can't be written/)).toBeVisible();
  });
});

describe("the policies of prompts and resources", () => {
  it("stand beside those of the tools and are set in the same way", async () => {
    const window = openWindow({ members: [smithy()] });
    window.bridge.gateway.policies.offers.set("smithy", ["prompt:review", "resource:smithy://ledger"]);
    act(() => window.house.openAgents("policies"));
    const table = await screen.findByTestId("policy-table");
    const row = within(table).getByText("prompt:review").closest('[role="row"]') as HTMLElement;
    expect(row).toHaveTextContent("prompt");
    const choice = () => within(table).getByRole("combobox", { name: "Policy of prompt:review", hidden: true });
    expect(choice()).toHaveDisplayValue("allow (the default)");
    await window.user.selectOptions(choice(), "ask");
    await waitFor(() => expect(choice()).toHaveDisplayValue("ask (set by hand)"));
    const asked = window.bridge.asked.filter(({ name }) => name === "set_tool_policies").map(({ request }) => request);
    expect(asked).toEqual([{ profile: null, tools: [{ member: "smithy", tool: "prompt:review", policy: "ask" }] }]);
    expect(screen.getByTestId("policies")).toHaveTextContent("3 tools");
  });
});

describe("many tools at once", () => {
  it("are chosen by keys and set together, and the change is undone as one", async () => {
    const { user, table, policyOf, asked } = await openPolicies({ "smithy/melt": "ask" });
    table.focus();
    await user.keyboard(" {Shift>}{ArrowDown}{/Shift}");
    const rows = () => within(table).getAllByRole("row", { selected: true });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(table).toHaveAttribute("aria-multiselectable", "true");
    expect(screen.getByRole("group", { name: "The chosen tools" })).toHaveTextContent("2 tools chosen");
    await user.keyboard("d");
    await waitFor(() => expect(policyOf("look")).toHaveDisplayValue("deny (set by hand)"));
    expect(policyOf("melt")).toHaveDisplayValue("deny (set by hand)");
    expect(policyOf("חישול")).toHaveDisplayValue("allow (the default)");
    expect(asked("set_tool_policies")).toHaveLength(1);
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(policyOf("melt")).toHaveDisplayValue("ask (the manifest)"));
    expect(policyOf("look")).toHaveDisplayValue("allow (the default)");
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Undo/ })).not.toBeInTheDocument());
  });

  it("are all chosen by Ctrl+A, none by Escape, and set by a button", async () => {
    const { user, table, policyOf } = await openPolicies();
    table.focus();
    await user.keyboard("{Control>}a{/Control}");
    expect(await screen.findByText("3 tools chosen")).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByText("3 tools chosen")).not.toBeInTheDocument());
    await user.keyboard("{Control>}a{/Control}");
    await user.click(within(await screen.findByRole("group", { name: "The chosen tools" })).getByRole("button", { name: "ask" }));
    await waitFor(() => expect(policyOf("חישול")).toHaveDisplayValue("ask (set by hand)"));
    expect(policyOf("look")).toHaveDisplayValue("ask (set by hand)");
    await user.click(screen.getByRole("button", { name: "Undo 3 tools: ask" }));
    await waitFor(() => expect(policyOf("look")).toHaveDisplayValue("allow (the default)"));
  });

  it("are never those that a filter hides", async () => {
    const { user, table, asked } = await openPolicies();
    table.focus();
    await user.keyboard("{Control>}a{/Control}");
    await user.selectOptions(screen.getByLabelText("What the server says of it"), "read-only");
    expect(await screen.findByText("1 tool chosen")).toBeVisible();
    screen.getByTestId("policy-table").focus();
    await user.keyboard("d");
    await waitFor(() => expect(asked("set_tool_policies")).toEqual([{ profile: null, tools: [{ member: "smithy", tool: "look", policy: "deny" }] }]));
  });
});

describe("rules for kinds of tools", () => {
  it("show what would change before they are saved, hold at once, and are undone", async () => {
    const { user, policyOf, asked, house } = await openPolicies();
    const rules = screen.getByTestId("policy-rules");
    await user.selectOptions(within(rules).getByLabelText(/^destructive/), "ask");
    const changes = await within(rules).findByRole("list", { name: "What would change" });
    // One says that it destroys; the other that it changes things, and not how.
    expect(within(changes).getAllByRole("listitem").map((one) => one.textContent)).toMatchInlineSnapshot(`
      [
        "smithy meltallow (the default)→becomesask (rule for destructive tools)",
        "smithy חישולallow (the default)→becomesask (rule for destructive tools)",
      ]
    `);
    expect(asked("save_policy_rules")).toEqual([]);
    await user.click(within(rules).getByRole("button", { name: "Save rules" }));
    await waitFor(() => expect(policyOf("melt")).toHaveDisplayValue("ask (rule for destructive tools)"));
    expect(house.agents.gateway.get()?.rules.destructive).toBe("ask");
    await user.click(screen.getByRole("button", { name: "Undo the rules" }));
    await waitFor(() => expect(policyOf("melt")).toHaveDisplayValue("allow (the default)"));
  });

  it("say whose servers' word they rest on, and hold their changes back where that is wanted", async () => {
    const { user, asked } = await openPolicies();
    const rules = screen.getByTestId("policy-rules");
    await user.click(within(rules).getByRole("button", { name: /Read-only allowed, destructive asks/ }));
    expect(textOf(await within(rules).findByTestId("rules-warning"))).toMatchInlineSnapshot(`"Rules go by what servers say, which is no proof. smithy may say something else tomorrow, and agents would get it at once."`);
    await user.click(within(rules).getByRole("button", { name: "Hold their changes back" }));
    await waitFor(() => expect(asked("hold_changes")).toEqual([{ member: "smithy", hold: true }]));
    await waitFor(() => expect(within(rules).queryByTestId("rules-warning")).not.toBeInTheDocument());
  });

  it("are discarded without a trace", async () => {
    const { user, asked } = await openPolicies();
    const rules = screen.getByTestId("policy-rules");
    await user.selectOptions(within(rules).getByLabelText(/^read-only/), "deny");
    await user.click(await within(rules).findByRole("button", { name: "Discard" }));
    expect(within(rules).getByLabelText(/^read-only/)).toHaveDisplayValue("no rule");
    expect(asked("save_policy_rules")).toEqual([]);
  });
});

describe("the policies of a profile", () => {
  it("are those of its tools alone, its own rules named, and are set in it", async () => {
    const { user, bridge, policyOf, asked } = await openPolicies();
    act(() => void bridge.gateway.change({ profiles: [writing] }));
    await user.selectOptions(await screen.findByLabelText("Policies"), "of profile writing");
    await waitFor(() => expect(policyOf("look")).toHaveDisplayValue("ask (rule for read-only tools of profile writing)"));
    expect(within(screen.getByTestId("policy-table")).queryByText("melt")).not.toBeInTheDocument();
    await user.selectOptions(policyOf("look"), "deny");
    await waitFor(() => expect(policyOf("look")).toHaveDisplayValue("deny (set by hand in profile writing)"));
    expect(asked("set_tool_policies")).toEqual([{ profile: "writing", tools: [{ member: "smithy", tool: "look", policy: "deny" }] }]);
    await user.selectOptions(screen.getByLabelText("Policies"), "that hold everywhere");
    await waitFor(() => expect(policyOf("look")).toHaveDisplayValue("allow (the default)"));
  });
});

describe("the catalogue", () => {
  const error = { code: "handshake-failed" as const, message: "The server said nothing.", hint: "Look at its log.", member: "broken" };
  const broken = () => fakeMember(fakeView("broken", { status: "error", freshness: "unknown", error, listedAtMs: null }), []);
  const asleep = () => fakeMember(fakeView("asleep", { status: "stopped", freshness: "unknown", listedAtMs: null }), []);
  const off = fakeMember(fakeView("off", { status: "disabled" }), [fakeTool("off", { name: "blow", description: "Blows." })]);

  it("has a row for a member whose tools could not be read, says why, and tries again", async () => {
    const { user, table, asked } = await openPolicies({}, [broken(), asleep(), smithy()]);
    const row = within(table).getByText(/The server said nothing/).closest<HTMLElement>('[role="row"]');
    expect(textOf(row)).toMatchInlineSnapshot(`"brokentools could not be readTry againThe server said nothing.handshake-failed"`);
    expect(within(table).getByText(/tools never read/)).toBeVisible();
    expect(textOf(screen.getByTestId("policy-count"))).toMatchInlineSnapshot(`"3 tools and 2 unread members"`);
    await user.click(within(row!).getByRole("button", { name: "Try again", hidden: true }));
    await waitFor(() => expect(asked("refresh_member")).toEqual([{ member: "broken" }]));
    table.focus();
    await user.keyboard("{Home}r");
    await waitFor(() => expect(asked("refresh_member")).toContainEqual({ member: "asleep" }));
  });

  it("leads from such a row to what its error means, by a key and by the code, which is no Tab stop", async () => {
    const { user, table, house } = await openPolicies({}, [broken(), asleep(), smithy()]);
    const code = await within(table).findByRole("link", { name: /^handshake-failed/, hidden: true });
    expect(code).toHaveAttribute("tabindex", "-1");
    table.focus();
    // The first is the one that nobody has read.
    await user.keyboard("{Home}e");
    expect(house.place.get()).toMatchObject({ kind: "agents" });
    await user.keyboard("{ArrowDown}e");
    expect(house.place.get()).toEqual({ kind: "help", at: "errors#handshake-failed" });
    act(() => house.leaveHelp());
    const again = await screen.findByTestId("policy-table");
    const row = within(again).getByText(/The server said nothing/).closest('[role="row"]');
    expect(again).toHaveAttribute("aria-activedescendant", row?.id);
    // The reason has the room of all columns that say nothing of such a row.
    expect(within(again).getByText(/The server said nothing/).closest('[role="gridcell"]')).toHaveAttribute("aria-colspan", "4");
    await user.click(within(await screen.findByTestId("policy-table")).getByRole("link", { name: /^handshake-failed/, hidden: true }));
    expect(house.place.get()).toEqual({ kind: "help", at: "errors#handshake-failed" });
  });

  it("says why agents do not get a tool whatever its policy", async () => {
    const { table } = await openPolicies({}, [off, smithy()]);
    expect(within(table).getAllByText(/The member is disabled in plugin.json/)[0]?.closest('[role="row"]')).toHaveTextContent(/blow/);
  });

  it("opens a tool", async () => {
    const { user, table, house } = await openPolicies();
    table.focus();
    await user.keyboard("{ArrowDown}{Enter}");
    expect(house.place.get()).toMatchObject({ kind: "tool", member: "smithy", tool: "melt" });
  });

  it("is narrowed by words, policy, kind, reason and state, and put in another order", async () => {
    const { user, table } = await openPolicies({ "smithy/melt": "ask" }, [off, smithy()]);
    await user.selectOptions(screen.getByLabelText("What the server says of it"), "read-only");
    await waitFor(() => expect(toolsIn(table)).toEqual(["look"]));
    await user.selectOptions(screen.getByLabelText("What the server says of it"), "any kind");
    await user.selectOptions(screen.getByLabelText("Policy"), "ask");
    await waitFor(() => expect(toolsIn(table)).toEqual(["melt"]));
    await user.selectOptions(screen.getByLabelText("Decided by"), "by the default");
    expect(textOf(await screen.findByTestId("policies-none"))).toMatchInlineSnapshot(`"No tool fits."`);
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(screen.getByTestId("policy-count")).toHaveTextContent("4 tools"));
    await user.selectOptions(screen.getByLabelText("State"), "withheld");
    await waitFor(() => expect(toolsIn(screen.getByTestId("policy-table"))).toEqual(["blow"]));
    await user.selectOptions(screen.getByLabelText("State"), "any state");
    await user.selectOptions(screen.getByLabelText("Order"), "the strictest first");
    await waitFor(() => expect(toolsIn(screen.getByTestId("policy-table"))[0]).toBe("melt"));
    await user.type(screen.getByLabelText("Words of name and description"), "does not come back");
    expect(await screen.findByTestId("policies-none")).toBeVisible();
  });

  it("draws few of 2,000 tools, and all of them are chosen by a key", async () => {
    const tools = Array.from({ length: 2_000 }, (_, index) => fakeTool("warehouse", { name: `item_${index}`, description: `Item ${index}.` }));
    const { user, table, asked } = await openPolicies({}, [fakeMember(fakeView("warehouse"), tools)]);
    expect(table).toHaveAttribute("aria-rowcount", "2001");
    expect(within(table).getAllByRole("row").length).toBeLessThan(60);
    table.focus();
    await user.keyboard("{Control>}a{/Control}");
    expect(await screen.findByText("2,000 tools chosen")).toBeVisible();
    await user.keyboard("s");
    await waitFor(() => expect(asked("set_tool_policies")).toHaveLength(1));
    const [request] = asked("set_tool_policies") as { tools: unknown[] }[];
    expect(request?.tools).toHaveLength(2_000);
  });
});
