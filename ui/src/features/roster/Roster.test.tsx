import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { Report } from "../../ipc/bindings";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";

function member(name: string, tools: string[], changes: Parameters<typeof mockView>[1] = {}) {
  return mockMember(
    mockView(name, changes),
    tools.map((tool) => mockTool(name, { name: tool, description: `Does ${tool}.` })),
  );
}

function guild() {
  return [
    member("anvil", ["flatten", "shape"]),
    member("bellows", ["blow"], { status: "stopped", freshness: "cached" }),
    member("forge", ["heat", "quench"], {
      status: "error",
      freshness: "outdated",
      error: { code: "member-exited", message: "It ended with exit code 1.", hint: "", member: "forge" },
    }),
  ];
}

function cursor(): string | null {
  const tree = screen.getByTestId("roster");
  const id = tree.getAttribute("aria-activedescendant");
  const row = id === null ? null : document.getElementById(id);
  return row?.dataset["testid"] ?? null;
}

describe("the roster", () => {
  it("req_mcp_tool_5: shows every member at once, with status and count, before any answer", () => {
    openWindow({ members: guild() });
    expect(screen.getByTestId("member-anvil")).toHaveTextContent(/anvil.*Ready.*2/);
    expect(screen.getByTestId("member-bellows")).toHaveTextContent(/Stopped.*1/);
    expect(screen.getByTestId("member-forge")).toHaveTextContent(/outdated.*Failed.*2/);
    expect(document.documentElement.dataset["ready"]).toBe("roster");
    expect(document.documentElement.dataset["settled"]).toBe("true");
  });

  it("marks a member that other machines can reach, in shape, colour and word", () => {
    const report: Report = { code: "port-exposed", message: "The server listens on all addresses.", hint: "", member: "anvil" };
    openWindow({ members: [member("anvil", ["flatten"], { warnings: [report] }), member("bellows", ["blow"])] });
    const mark = within(screen.getByTestId("member-anvil")).getByText("exposed");
    expect(mark.querySelector("svg")).not.toBeNull();
    expect(mark).toHaveTextContent("exposed");
    expect(mark).toHaveClass("text-warn");
    expect(within(screen.getByTestId("member-bellows")).queryByText("exposed")).toBeNull();
  });

  it("tells the shell once that it is painted", async () => {
    const { bridge } = openWindow({ members: guild() });
    await waitFor(() => expect(bridge.readied).toEqual([true]));
  });

  it("expands a member to its cached tools though the member is down", async () => {
    const { user } = openWindow({ members: guild() });
    expect(textOf(screen.getByTestId("member-bellows"))).toMatchInlineSnapshot(`"bellowsStopped1"`);
    await user.click(screen.getByTestId("member-bellows"));
    expect(await screen.findByTestId("tool-bellows-blow")).toBeVisible();
  });

  it("shows why a member failed, and restarts it", async () => {
    const { user, bridge } = openWindow({ members: guild() });
    await user.click(screen.getByTestId("member-forge"));
    const trouble = await screen.findByTestId("trouble-forge");
    expect(textOf(trouble)).toMatchInlineSnapshot(`"It ended with exit code 1."`);
    await user.pointer({ keys: "[MouseRight]", target: trouble });
    await user.click(await screen.findByRole("menuitem", { name: "Restart" }));
    expect(bridge.asked).toContainEqual({ name: "restart_member", request: { member: "forge" } });
    await waitFor(() => expect(screen.getByTestId("member-forge")).toHaveAttribute("data-status", "ready"));
    expect(screen.queryByTestId("trouble-forge")).toBeNull();
  });

  it("double_click_leaves_the_member_expanded", async () => {
    const { user } = openWindow({ members: guild() });
    await user.dblClick(screen.getByTestId("member-anvil"));
    expect(await screen.findByTestId("tool-anvil-flatten")).toBeVisible();
  });

  it("tool_opened_elsewhere_is_shown_in_the_roster", async () => {
    const { stores } = openWindow({ members: guild() });
    act(() => stores.navigation.openTool("anvil", "shape"));
    expect(await screen.findByTestId("tool-anvil-shape")).toHaveAttribute("aria-selected", "true");
  });

  it("back_and_forward_follow_the_places", async () => {
    const { user, stores } = openWindow({ members: guild() });
    act(() => stores.navigation.openMember("anvil"));
    act(() => stores.navigation.openTool("anvil", "shape"));
    await user.keyboard("{Alt>}{ArrowLeft}{ArrowLeft}{/Alt}");
    expect(stores.navigation.place.get().kind).toBe("welcome");
    await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
    expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "anvil" });
    await user.pointer({ keys: "[MouseLeft]", target: document.body });
    act(() => void window.dispatchEvent(new MouseEvent("mouseup", { button: 4 })));
    expect(stores.navigation.place.get().kind).toBe("tool");
  });

  it("is one Tab stop that the arrows walk through", async () => {
    const { user } = openWindow({ members: guild() });
    const tree = screen.getByTestId("roster");
    expect(within(tree).queryAllByRole("button")).toEqual([]);
    tree.focus();
    expect(cursor()).toBe("member-anvil");
    await user.keyboard("{ArrowDown}");
    expect(cursor()).toBe("member-bellows");
    await user.keyboard("{End}");
    expect(cursor()).toBe("member-forge");
    await user.keyboard("{Home}{ArrowRight}");
    expect(await screen.findByTestId("tool-anvil-flatten")).toBeVisible();
    await user.keyboard("{ArrowRight}");
    expect(cursor()).toBe("tool-anvil-flatten");
    await user.keyboard("{ArrowDown}{ArrowLeft}");
    expect(cursor()).toBe("member-anvil");
    await user.keyboard("{ArrowLeft}");
    expect(screen.queryByTestId("tool-anvil-flatten")).toBeNull();
    expect(screen.getByTestId("member-anvil")).toHaveAttribute("aria-expanded", "false");
    await waitFor(() => expect(tree).toHaveFocus());
  });

  it("goes to a name by its first letters, round the end", async () => {
    const { user } = openWindow({ members: guild() });
    screen.getByTestId("roster").focus();
    await user.keyboard("fo");
    expect(cursor()).toBe("member-forge");
  });

  it("keeps the cursor on its row while members come and go around it", async () => {
    const { user, bridge } = openWindow({ members: guild() });
    screen.getByTestId("roster").focus();
    await user.keyboard("{ArrowDown}");
    bridge.add(member("alembic", []));
    await screen.findByTestId("member-alembic");
    expect(cursor()).toBe("member-bellows");
    bridge.remove("bellows");
    await waitFor(() => expect(screen.queryByTestId("member-bellows")).toBeNull());
    expect(cursor()).toBe("member-forge");
  });

  it("draws no more rows than fit, of 2,000 tools", async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `tool_${String(index).padStart(4, "0")}`);
    const { user } = openWindow({ members: [member("big", names)] });
    await user.click(screen.getByTestId("member-big"));
    await screen.findByTestId("tool-big-tool_0000");
    expect(screen.getAllByRole("treeitem").length).toBeLessThan(80);
    expect(screen.getByTestId("tool-big-tool_0000")).toHaveAttribute("aria-setsize", "2000");
    screen.getByTestId("roster").focus();
    await user.keyboard("{End}");
    expect(cursor()).toBe("tool-big-tool_1999");
  });

  it("reads the tools of an expanded member anew when they were updated", async () => {
    const { user, bridge } = openWindow({ members: guild() });
    await user.click(screen.getByTestId("member-anvil"));
    await screen.findByTestId("tool-anvil-shape");
    bridge.relist("anvil", member("anvil", ["weld"]).tools);
    expect(await screen.findByTestId("tool-anvil-weld")).toBeVisible();
    expect(screen.queryByTestId("tool-anvil-shape")).toBeNull();
  });
});

describe("the search over all tools", () => {
  it("is reached by / and puts its results in the tree's place", async () => {
    const { user, stores } = openWindow({ members: guild() });
    screen.getByTestId("roster").focus();
    await user.keyboard("/");
    const field = screen.getByTestId("search");
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard("ea");
    await screen.findByTestId("tool-forge-heat");
    expect(screen.queryByTestId("member-anvil")).toBeNull();
    expect(screen.getByRole("listbox")).toBe(screen.getByTestId("roster"));

    await user.keyboard("{Enter}");
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "heat" });
    await waitFor(() => expect(field).toHaveFocus());

    await user.keyboard("{Escape}");
    expect(await screen.findByTestId("member-anvil")).toBeVisible();
  });

  it("moves the cursor by the arrows while the field keeps the focus", async () => {
    const { user } = openWindow({ members: guild() });
    const field = screen.getByTestId("search");
    await user.type(field, "does");
    await screen.findByTestId("tool-anvil-flatten");
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(field).toHaveFocus());
    expect(cursor()).toBe("tool-anvil-shape");
  });

  it("opens the best match when Enter comes before the answer", async () => {
    const { user, stores } = openWindow({ members: guild() });
    await user.type(screen.getByTestId("search"), "quench{Enter}");
    await waitFor(() => expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "quench" }));
  });
});
