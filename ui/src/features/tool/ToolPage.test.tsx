import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import type { CallEnd } from "../../ipc/bindings";
import type { MockCall } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { cancelledEnd, failedEnd, textEnd } from "../../testing/callEnds";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";

const input = { type: "object", properties: { path: { type: "string" } } };

function forge(changes: Parameters<typeof mockView>[1] = {}) {
  return mockMember(mockView("forge", changes), [
    mockTool("forge", { name: "heat", description: "Heats a piece.", hints: { openWorld: true }, input }),
    mockTool("forge", { name: "quench", description: "Cools it.", input }),
  ]);
}

/** A mock call whose progress and end are controlled by the test. */
function held() {
  let finish: (end: CallEnd) => void = () => undefined;
  let report: Parameters<MockCall>[1] = () => undefined;
  const onCall: MockCall = (request, progress, cancelled) => {
    report = progress;
    return new Promise((resolve) => {
      finish = resolve;
      cancelled.addEventListener("abort", () => resolve(cancelledEnd(request.member)));
    });
  };
  return {
    onCall,
    progress: (done: number, total: number, message: string) => act(() => report(done, total, message)),
    answer: (text: string) =>
      act(() => {
        finish(textEnd(text));
        return Promise.resolve();
      }),
  };
}

function openHeat(options: Parameters<typeof openWindow>[0] = {}) {
  const opened = openWindow({ members: [forge()], ...options });
  act(() => opened.stores.navigation.openTool("forge", "heat"));
  return opened;
}

const field = () => screen.findByRole("textbox", { name: /path/ });
const result = () => within(screen.getByTestId("result"));

describe("the tool's page", () => {
  it("req_mcp_http_34: runs a tool with what the form holds and shows what came back", async () => {
    const { user, bridge } = openHeat();
    await user.type(await field(), "sword");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(await result().findByText(/sword/)).toBeVisible();
    const asked = bridge.asked.find(({ name }) => name === "invoke_tool");
    expect(asked?.request).toMatchObject({ member: "forge", tool: "heat", arguments: '{"path":"sword"}', check: "refuse" });
  });

  it("shows the member and the server's claims", async () => {
    openHeat();
    expect(await screen.findByText("Heats a piece.")).toBeVisible();
    expect(screen.getByRole("heading", { name: "heat" })).toBeVisible();
    expect(within(screen.getByRole("article")).getByText("External access")).toBeVisible();
  });

  it("lays out the form from right to left in a right-to-left document", async () => {
    onTestFinished(() => document.documentElement.removeAttribute("dir"));
    document.documentElement.dir = "rtl";
    openHeat();
    expect((await field()).closest("[data-orientation][dir]")).toHaveAttribute("dir", "rtl");
  });

  it("keeps a draft and a result per tool while one looks at another", async () => {
    const { user, stores } = openHeat();
    await user.type(await field(), "sword");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await result().findByText(/sword/);

    act(() => stores.navigation.openTool("forge", "quench"));
    await screen.findByText("Cools it.");
    expect(await field()).toHaveValue("");
    expect(result().queryByText(/sword/)).toBeNull();

    act(() => stores.navigation.openTool("forge", "heat"));
    await screen.findByText("Heats a piece.");
    expect(await field()).toHaveValue("sword");
    expect(await result().findByText(/sword/)).toBeVisible();
  });

  it("shows progress, and cancels by its key", async () => {
    const call = held();
    const { user, bridge } = openHeat({ onCall: call.onCall });
    await user.type(await field(), "x");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(bridge.asked.map(({ name }) => name)).toContain("invoke_tool"));
    call.progress(3, 10, "third step");
    expect(await result().findByText("third step")).toBeVisible();
    expect(screen.getByText(/1 call running/)).toBeVisible();
    await user.keyboard("{Control>}.{/Control}");
    expect(await result().findByText(/You cancelled the call/)).toBeVisible();
    expect(screen.queryByText(/1 call running/)).toBeNull();
  });

  it("lets calls of two tools run at the same time, each with its own end", async () => {
    const first = held();
    const { user, stores, bridge } = openHeat({
      onCall: (request, progress, cancelled) =>
        request.tool === "heat"
          ? first.onCall(request, progress, cancelled)
          : Promise.resolve({ kind: "result", result: '{"content":[{"type":"text","text":"cold"}]}', isError: false }),
    });
    await field();
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(bridge.asked.map(({ name }) => name)).toContain("invoke_tool"));
    act(() => stores.navigation.openTool("forge", "quench"));
    await screen.findByText("Cools it.");
    await field();
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(await result().findByText("cold")).toBeVisible();
    await first.answer("hot");
    act(() => stores.navigation.openTool("forge", "heat"));
    expect(await screen.findByText("hot")).toBeVisible();
  });

  it("keeps the tool's last calls to look at again", async () => {
    const { user } = openHeat();
    await user.type(await field(), "one");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await result().findByText(/"one"/);
    await user.clear(await field());
    await user.type(await field(), "two");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await result().findByText(/"two"/);
    await user.click(result().getByRole("button", { name: "Call 2 of this tool" }));
    await user.click(await screen.findByRole("menuitemradio", { name: /#1/ }));
    expect(await result().findByText(/"one"/)).toBeVisible();
  });

  it("says that a failed member has failed", async () => {
    openHeat({ members: [forge({ status: "error", freshness: "cached" })] });
    expect(await screen.findByTestId("tool-note")).toHaveTextContent("forge has failed. Running the tool starts it.");
  });

  it("req_mcp_tool_20: a call on a member that is down starts it, and shows the start", async () => {
    let comeUp: () => void = () => undefined;
    const onStart = () => new Promise<void>((resolve) => (comeUp = resolve));
    const { user, bridge } = openHeat({ members: [forge({ status: "stopped", freshness: "cached" })], onStart });
    expect(textOf(await screen.findByTestId("tool-note"))).toMatchInlineSnapshot(`"forge is stopped. Running the tool starts it."`);
    await field();
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(await result().findByText(/Starting forge/)).toBeVisible();
    comeUp();
    await waitFor(() => expect(screen.getByTestId("member-forge")).toHaveAttribute("data-status", "ready"));
    expect(bridge.asked.map(({ name }) => name)).toContain("invoke_tool");
    await waitFor(() => expect(result().queryByText(/Starting forge/)).toBeNull());
  });

  it("retries with a longer limit what was sent anyway, again without a check", async () => {
    const { user, bridge } = openHeat({ onCall: () => Promise.resolve(failedEnd("call-timeout", "No answer in time.")) });
    await field();
    await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    await user.click(await result().findByRole("button", { name: /Retry with/ }));
    await waitFor(() => expect(bridge.asked.filter(({ name }) => name === "invoke_tool")).toHaveLength(2));
    for (const { request } of bridge.asked.filter(({ name }) => name === "invoke_tool")) {
      expect(request).toMatchObject({ check: "send-anyway" });
    }
  });

  it("takes an error away when the same tool could be read again", async () => {
    const { bridge } = openHeat();
    await field();
    const changed = () =>
      act(() => bridge.emit({ kind: "tools_updated", member: "forge", count: 2, diff: { added: [], removed: [], changed: [] } }));
    const broken = vi.spyOn(bridge, "call").mockRejectedValue(new Error("Gone."));
    changed();
    const page = within(screen.getByRole("main"));
    expect(await page.findByText(/Gone\./)).toBeVisible();
    broken.mockRestore();
    changed();
    await waitFor(() => expect(page.queryByText(/Gone\./)).toBeNull());
  });
});
