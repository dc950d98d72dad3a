import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { openWindow } from "../../testing/open";
import { smithy } from "../testing";

async function openPolicies(manifest: Record<string, "ask" | "deny"> = {}) {
  const window = openWindow({ members: [smithy()] });
  for (const [key, policy] of Object.entries(manifest)) window.bridge.gateway.manifest.set(key, policy);
  act(() => window.house.openAgents("policies"));
  const table = await screen.findByTestId("policy-table");
  const policyOf = (tool: string) => within(table).getByRole("combobox", { name: `Policy of ${tool}`, hidden: true });
  return { ...window, table, policyOf };
}

describe("the policies", () => {
  it("show what each tool's is and where it comes from, withheld tools too", async () => {
    const { policyOf, table } = await openPolicies({ "smithy/melt": "deny" });
    expect(policyOf("melt")).toHaveDisplayValue("deny (the manifest)");
    expect(policyOf("look")).toHaveDisplayValue("allow (the default)");
    // In a column of its own, and beside the name where there is no room for that.
    const [beside, own] = within(table).getAllByText(/Its policy is deny/);
    expect(beside?.closest('[role="gridcell"]')).toHaveTextContent(/^melt ‖/);
    expect(own?.closest('[role="gridcell"]')).toHaveTextContent(/^‖ Its policy is deny/);
  });

  it("are set by the keys of a row, and taken back", async () => {
    const { user, table, policyOf, bridge } = await openPolicies({ "smithy/melt": "deny" });
    table.focus();
    await user.keyboard("{ArrowDown}a");
    await waitFor(() => expect(policyOf("melt")).toHaveDisplayValue("allow (gateway.json)"));
    await user.keyboard("s");
    await waitFor(() => expect(policyOf("melt")).toHaveDisplayValue("ask (gateway.json)"));
    await user.keyboard("m");
    await waitFor(() => expect(policyOf("melt")).toHaveDisplayValue("deny (the manifest)"));
    await waitFor(() => expect(table).toHaveFocus());
    expect(bridge.asked.filter(({ name }) => name === "set_tool_policy").map(({ request }) => request)).toEqual([
      { member: "smithy", tool: "melt", policy: "allow" },
      { member: "smithy", tool: "melt", policy: "ask" },
      { member: "smithy", tool: "melt", policy: null },
    ]);
  });

  it("are set by the choice in the row", async () => {
    const { user, policyOf } = await openPolicies();
    await user.selectOptions(policyOf("look"), "ask");
    await waitFor(() => expect(policyOf("look")).toHaveDisplayValue("ask (gateway.json)"));
  });

  it("are narrowed by words, policy and what the server says", async () => {
    const { user, table } = await openPolicies({ "smithy/melt": "ask" });
    const tools = () => within(table).getAllByRole("row").slice(1).map((row) => row.querySelectorAll('[role="gridcell"]')[1]?.textContent);
    await user.selectOptions(screen.getByLabelText("What the server says of it"), "read-only");
    await waitFor(() => expect(tools()).toEqual(["look"]));
    await user.selectOptions(screen.getByLabelText("What the server says of it"), "destructive");
    await waitFor(() => expect(tools()).toEqual(["melt"]));
    await user.selectOptions(screen.getByLabelText("What the server says of it"), "any");
    await user.selectOptions(screen.getByLabelText("Policy"), "ask");
    await waitFor(() => expect(tools()).toEqual(["melt"]));
    expect(screen.getByTestId("policy-count")).toHaveTextContent("1 of 3 tools");
    await user.type(screen.getByLabelText("Words of the name"), "look");
    expect(await screen.findByText("No tool fits.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(screen.getByTestId("policy-count")).toHaveTextContent("3 tools"));
  });

  it("says why one could not be set", async () => {
    const report = { code: "data-unwritable" as const, message: "gateway.json can't be written.", hint: "", member: null };
    const { user, house } = openWindow({ members: [smithy()], refusing: { set_tool_policy: report } });
    act(() => house.openAgents("policies"));
    (await screen.findByTestId("policy-table")).focus();
    await user.keyboard("d");
    expect(await screen.findByText(/gateway.json can't be written/)).toBeVisible();
  });
});
