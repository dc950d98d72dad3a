import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { smithy } from "../testing";

const WAITING = "Pending approvals";
const ASKING = "An agent asks";

type Opened = ReturnType<typeof openWindow>;

function asks({ bridge }: Opened, tool = "melt", args = '{"path": "sword", "amount": 9007199254740993}', more = {}) {
  let decided: ReturnType<typeof bridge.gateway.askFor> | undefined;
  act(() => {
    decided = bridge.gateway.askFor({ member: "smithy", tool, arguments: args, ...more });
  });
  return decided!;
}

/** Waits until the button is available, which takes a short time after the panel appears. */
async function ready(name: string) {
  const button = await screen.findByRole("button", { name });
  await waitFor(() => expect(button).toHaveAttribute("aria-disabled", "false"));
  return button;
}

describe("a pending approval", () => {
  it("is announced on every page without the focus", async () => {
    const window = openWindow({ members: [smithy()] });
    await window.user.click(screen.getByTestId("search"));
    void asks(window);
    const notice = await screen.findByRole("region", { name: ASKING });
    expect(textOf(within(notice).getByTestId("waiting-text"))).toMatchInlineSnapshot(`"claude-code wants to run melt on smithy"`);
    await waitFor(() => expect(screen.getByTestId("approval-alert")).toHaveTextContent("smithy"));
    expect(textOf(screen.getByTestId("approval-alert"))).toMatchInlineSnapshot(`"claude-code wants to run melt on smithy."`);
    await waitFor(() => expect(screen.getByTestId("search")).toHaveFocus());
  });

  it("is approved by keys alone", async () => {
    const window = openWindow({ members: [smithy()] });
    const decided = asks(window);
    await window.user.keyboard("{Control>}{Shift>}d{/Shift}{/Control}");
    const panel = await screen.findByTestId("approval");
    await waitFor(() => expect(panel).toHaveFocus());
    await ready("Approve once");
    await window.user.keyboard("{Control>}{Enter}{/Control}");
    expect(await decided).toEqual({ id: "approval-1", decision: "once", arguments: null, check: "refuse" });
    await waitFor(() => expect(screen.queryByTestId("approval")).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole("group", { name: WAITING })).toHaveFocus());
    expect(screen.getByText(/Approved once/)).toBeVisible();
  });

  it("is denied by a key on the panel alone", async () => {
    const window = openWindow({ members: [smithy()] });
    const decided = asks(window);
    await window.user.keyboard("{Control>}{Shift>}d{/Shift}{/Control}");
    const panel = await screen.findByTestId("approval");
    await waitFor(() => expect(panel).toHaveFocus());
    await window.user.type(await screen.findByRole("textbox", { name: /path/ }), "d");
    await ready("Deny");
    expect(window.bridge.asked.map(({ name }) => name)).not.toContain("decide_approval");
    act(() => panel.focus());
    await window.user.keyboard("d");
    expect(await decided).toMatchObject({ decision: "deny" });
  });

  it("is selected in the list by arrow keys", async () => {
    const window = openWindow({ members: [smithy()] });
    void asks(window);
    void asks(window, "melt", '{"path": "nail"}', { client: "cursor" });
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    const list = within(await screen.findByRole("navigation", { name: "2 pending" }));
    act(() => list.getByRole("button", { name: /claude-code on smithy/ }).focus());
    await window.user.keyboard("{ArrowDown}");
    expect(list.getByRole("button", { name: /cursor on smithy/ })).toHaveFocus();
    await waitFor(() => expect(screen.getByRole("textbox", { name: /path/ })).toHaveValue("nail"));
  });

  it("keeps large numbers in changed arguments", async () => {
    const window = openWindow({ members: [smithy()] });
    const decided = asks(window);
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    const path = await screen.findByRole("textbox", { name: /path/ });
    await window.user.clear(path);
    await window.user.type(path, "spoon");
    await window.user.click(await ready("Approve once"));
    const { arguments: args } = (await decided)!;
    expect(args).toMatch(/"path":\s*"spoon"/);
    expect(args).toContain("9007199254740993");
  });

  it("asks for a prompt with its arguments as JSON", async () => {
    const window = openWindow({ members: [smithy()] });
    const decided = asks(window, "prompt:review", '{"name": "Ada"}');
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    const panel = await screen.findByTestId("approval");
    expect(panel).toHaveTextContent("prompt:review");
    expect(await within(panel).findByRole("textbox", { name: /JSON/ })).toBeVisible();
    await window.user.click(await ready("Approve once"));
    expect(await decided).toMatchObject({ decision: "once", arguments: null });
    expect(window.bridge.asked.map(({ name }) => name)).not.toContain("tool_detail");
  });

  it("is not approved with invalid arguments", async () => {
    const window = openWindow({ members: [smithy()] });
    const call = window.bridge.call.bind(window.bridge);
    window.bridge.call = ((name: Parameters<typeof call>[0], request: never) =>
      name === "check_arguments"
        ? Promise.resolve({ errors: [{ pointer: "/amount", message: "is too large", keyword: "maximum" }], notes: [] })
        : call(name, request));
    void asks(window);
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    await window.user.click(await ready("Approve once"));
    expect(textOf(await screen.findByTestId("problem-count"))).toMatchInlineSnapshot(`"1 problem:"`);
    expect(window.bridge.asked.map(({ name }) => name)).not.toContain("decide_approval");
    await window.user.click(await ready("Deny"));
    await waitFor(() => expect(window.bridge.gateway.waiting).toEqual([]));
  });

  it("is approved anyway by keys", async () => {
    const window = openWindow({ members: [smithy()] });
    const call = window.bridge.call.bind(window.bridge);
    window.bridge.call = ((name: Parameters<typeof call>[0], request: never) =>
      name === "check_arguments"
        ? Promise.resolve({ errors: [{ pointer: "/amount", message: "is too large", keyword: "maximum" }], notes: [] })
        : call(name, request));
    const decided = asks(window);
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    const path = await screen.findByRole("textbox", { name: /path/ });
    await window.user.type(path, "!");
    await ready("Approve once");
    expect(screen.queryByRole("button", { name: "Approve anyway" })).not.toBeInTheDocument();
    await window.user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    expect(window.bridge.asked.map(({ name }) => name)).not.toContain("decide_approval");
    await window.user.click(await ready("Approve once"));
    await ready("Approve anyway");
    await window.user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    const decision = await decided;
    expect(decision).toMatchObject({ decision: "once", check: "send-anyway" });
    expect(decision!.arguments).toMatch(/"path":\s*"sword!"/);
  });

  it("is always allowed, with the effect explained", async () => {
    const window = openWindow({ members: [smithy()] });
    const decided = asks(window);
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    await ready("Approve once");
    await window.user.click(screen.getByRole("button", { name: "More ways to approve" }));
    const always = await screen.findByRole("menuitem", { name: /^Always allow/ });
    expect(textOf(always)).toMatchInlineSnapshot(`"Always allowmelt will run without asking, for every client and any arguments. You can change this in Permissions."`);
    await window.user.click(always);
    expect(await decided).toMatchObject({ decision: "always" });
  });

  it("keeps its draft beside other calls", async () => {
    const window = openWindow({ members: [smithy()] });
    const first = asks(window);
    void asks(window, "melt", '{"path": "nail"}', { client: "cursor" });
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    const list = await screen.findByRole("navigation", { name: "2 pending" });
    await window.user.type(await screen.findByRole("textbox", { name: /path/ }), "!");
    await window.user.click(within(list).getByRole("button", { name: /cursor on smithy/ }));
    await waitFor(() => expect(screen.getByRole("textbox", { name: /path/ })).toHaveValue("nail"));
    await window.user.click(within(list).getByRole("button", { name: /claude-code on smithy/ }));
    await waitFor(() => expect(screen.getByRole("textbox", { name: /path/ })).toHaveValue("sword!"));
    fireEvent.click(await ready("Deny"));
    await waitFor(() => {
      expect(screen.getByRole("textbox", { name: /path/ })).toHaveValue("nail");
      // The next panel appears under the pointer. A double click on Deny must not deny the next approval too.
      expect(screen.getByRole("button", { name: "Deny" })).toHaveAttribute("aria-disabled", "true");
    });
    expect(await first).toMatchObject({ decision: "deny", arguments: null });
  });

  it("keeps the focus on the page when it ends", async () => {
    const window = openWindow({ members: [smithy()] });
    const decided = asks(window);
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    await window.user.click(await screen.findByRole("textbox", { name: /path/ }));
    act(() => window.bridge.gateway.giveUp("approval-1"));
    expect(await decided).toBeNull();
    await waitFor(() => expect(screen.queryByTestId("approval")).not.toBeInTheDocument());
    expect(screen.getByText(/No longer needed/)).toBeVisible();
    expect(window.stores.spoken.get()).toMatchInlineSnapshot(`"claude-code wants to run melt on smithy: No longer needed"`);
    await waitFor(() => expect(screen.getByRole("group", { name: WAITING })).toHaveFocus());
  });

  it("is read again after a missed event", async () => {
    const window = openWindow({ members: [smithy()] });
    void asks(window);
    await screen.findByRole("button", { name: "Review" });
    const emit = window.bridge.emit.bind(window.bridge);
    window.bridge.emit = () => undefined;
    window.bridge.gateway.giveUp("approval-1");
    window.bridge.emit = emit;
    act(() => window.bridge.emit({ kind: "roster", roster: window.bridge.roster() }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Review" })).not.toBeInTheDocument());
  });

  it("is denied from any page, with the focus on the page", async () => {
    const window = openWindow({ members: [smithy()] });
    const decided = asks(window);
    act(() => window.stores.navigation.openSettings());
    await screen.findByRole("heading", { name: "Settings" });
    await window.user.click(await ready("Deny melt to claude-code"));
    expect(await decided).toMatchObject({ decision: "deny" });
    await waitFor(() => expect(screen.queryByRole("region", { name: ASKING })).toBeNull());
    await waitFor(() => expect(document.activeElement?.closest("main")).not.toBeNull());
  });

  it("can be postponed", async () => {
    const window = openWindow({ members: [smithy()] });
    void asks(window);
    await window.user.click(await screen.findByRole("button", { name: "Hide notice" }));
    expect(screen.queryByRole("region", { name: ASKING })).not.toBeInTheDocument();
    const count = screen.getByRole("button", { name: "1 pending" });
    await waitFor(() => expect(count).toHaveFocus());
    await window.user.keyboard("{Enter}");
    expect(await screen.findByTestId("approval")).toBeVisible();
  });

  it("is denied although its tool is unknown", async () => {
    const window = openWindow({ members: [smithy()] });
    const decided = asks(window, "gone", '{"a": 1}');
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    expect(textOf(await screen.findByTestId("trouble"))).toMatchInlineSnapshot(`"The member has no tool "gone". tool-unknownIts tools: 4; list them to see their names."`);
    await window.user.click(await ready("Deny"));
    expect(await decided).toMatchObject({ decision: "deny" });
  });

  it("reports a decision that comes too late", async () => {
    const report = { code: "approval-ended" as const, message: "This call waits for no decision any more.", hint: "", member: null };
    const window = openWindow({ members: [smithy()], refusing: { decide_approval: report } });
    void asks(window);
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    await window.user.click(await ready("Deny"));
    expect(textOf(await within(screen.getByTestId("approval")).findByRole("alert"))).toMatchInlineSnapshot(`"This call waits for no decision any more. approval-ended"`);
  });

  it("lists a late decision as not taken", async () => {
    const window = openWindow({ members: [smithy()] });
    const call = window.bridge.call.bind(window.bridge);
    let refuse: () => void = () => undefined;
    const late = new Promise<never>((_, reject) => { refuse = () => reject(new Error("too late")); });
    window.bridge.call = (name, request) => (name === "decide_approval" ? late : call(name, request));
    void asks(window);
    await window.user.click(await screen.findByRole("button", { name: "Review" }));
    await window.user.click(await ready("Approve once"));
    act(() => window.bridge.gateway.giveUp("approval-1"));
    await waitFor(() => expect(screen.queryByTestId("approval")).not.toBeInTheDocument());
    act(() => refuse());
    await waitFor(() => expect(window.stores.hall.notices.get()).toMatchObject([{ report: { message: expect.stringContaining("too late") as string } }]));
    expect(screen.queryByText(/Approved once/)).toBeNull();
    expect(screen.getByText(/No longer needed/)).toBeVisible();
  });
});
