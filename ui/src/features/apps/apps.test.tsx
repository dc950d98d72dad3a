/**
 * happy-dom has no windows of frames.
 * @vitest-environment jsdom
 */
import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import type { MockOptions } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { setTheme } from "../../lib/theme/theme";
import { openWindow } from "../../testing/open";
import { HEIGHT_MAX } from "./appHost";
import { CHARACTERS_MAX, FrameTransport, isSmall, MESSAGES_AT_ONCE, MESSAGES_PER_SECOND, VALUES_MAX } from "./frameTransport";

const ORIGIN = "mcp-app://00ff.localhost";
const app = { address: "about:blank", origin: ORIGIN, domains: ["https://api.example.com"], permissions: [] };
const tools = [
  mockTool("forge", { name: "chart", description: "Draws.", app: "ui://chart" }),
  mockTool("forge", { name: "melt", description: "Melts.", hints: { destructive: true } }),
  mockTool("forge", { name: "plain", description: "Has no app." }),
];

/** Opens the tool's page, runs the tool, and selects the App tab. */
async function openApp(options: MockOptions = {}) {
  const answers = { invoke_tool_for_app: ({ call, member, tool }: { call: string; member: string; tool: string }) => ({ call, member, tool, startedAtMs: 0, durationMs: 1, request: null, structured: null, end: { kind: "result" as const, result: '{"content":[]}', isError: false } }), ...options.answers };
  const opened = openWindow({ members: [mockMember(mockView("forge"), tools)], app, ...options, answers });
  act(() => opened.stores.navigation.openTool("forge", "chart"));
  await opened.user.click(await screen.findByTestId("run"));
  await opened.user.click(await screen.findByRole("tab", { name: "App" }));
  return opened;
}

/**
 * Simulates an app in the frame: the app sends messages to the host, and `received` collects the messages of the host.
 */
async function frameOf() {
  const frame = await screen.findByTestId<HTMLIFrameElement>("app-frame");
  const source = frame.contentWindow;
  if (source === null) throw new Error("the frame has no window");
  const received: { id?: number; method?: string; params?: unknown; result?: unknown; error?: { message: string } }[] = [];
  vi.spyOn(source, "postMessage").mockImplementation((message: (typeof received)[number]) => void received.push(message));
  const send = (data: object, origin = ORIGIN) => {
    act(() => void window.dispatchEvent(new MessageEvent("message", { data: { jsonrpc: "2.0", ...data }, origin, source })));
  };
  const request = async (id: number, method: string, params: object) => {
    send({ id, method, params });
    return waitFor(() => {
      const answer = received.find((message) => message.id === id && message.method === undefined);
      if (!answer) throw new Error(`no answer to ${method}`);
      return answer;
    });
  };
  const begin = async () => {
    const answer = await request(1, "ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "a", version: "1" }, appCapabilities: {} });
    send({ method: "ui/notifications/initialized" });
    return answer.result;
  };
  return { frame, received, send, request, begin };
}

describe("the app of a tool", () => {
  it("is offered only for a tool that has one", async () => {
    const { stores, user } = await openApp();
    const { frame } = await frameOf();
    // The source names the domains once the frame is there.
    expect(screen.getByTestId("app-source")).toHaveTextContent("App from forge. Can contact https://api.example.com.");
    expect(frame).toHaveAttribute("sandbox", "allow-scripts allow-same-origin");
    expect(frame).toHaveAttribute("allow", "");
    act(() => stores.navigation.openTool("forge", "plain"));
    await screen.findByRole("article", { name: "forge plain" });
    await user.click(screen.getByTestId("run"));
    expect(await screen.findByRole("tab", { name: "Raw" })).toBeInTheDocument();
    expect(screen.queryByRole("tab", { name: "App" })).not.toBeInTheDocument();
  });

  it("receives the context, the arguments and the result", async () => {
    await openApp();
    const { received, begin } = await frameOf();
    expect(await begin()).toMatchObject({ hostInfo: { name: "Guild Hall" }, hostContext: { displayMode: "inline", platform: "desktop" } });
    await waitFor(() => expect(received.map(({ method }) => method)).toContain("ui/notifications/tool-result"));
    expect(received.find(({ method }) => method === "ui/notifications/tool-input")?.params).toEqual({ arguments: {} });
    onTestFinished(() => setTheme("system"));
    act(() => setTheme("light"));
    await waitFor(() => expect(received.find(({ method }) => method === "ui/notifications/host-context-changed")?.params).toEqual({ theme: "light" }));
  });

  it("calls its member's tools, and no others", async () => {
    const { bridge } = await openApp();
    const { request, begin } = await frameOf();
    await begin();
    expect((await request(2, "tools/call", { name: "plain", arguments: { a: 1 } })).result).toEqual({ content: [] });
    expect(bridge.asked.findLast(({ name }) => name === "invoke_tool_for_app")?.request).toMatchObject({ member: "forge", tool: "plain", arguments: '{"a":1}', check: "refuse" });
    expect((await request(3, "tools/call", { name: "of_another" })).error).toBeDefined();
    expect(bridge.asked.filter(({ name }) => name === "invoke_tool_for_app")).toHaveLength(1);
  });

  it("needs a confirmation for a destructive tool", async () => {
    const { bridge, user } = await openApp();
    const { request, send, received, begin } = await frameOf();
    await begin();
    send({ id: 2, method: "tools/call", params: { name: "melt" } });
    expect(await screen.findByTestId("confirm-what")).toHaveTextContent("Requested by the app from forge.");
    // A second question is declined while one is open.
    expect((await request(3, "tools/call", { name: "melt" })).error).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(received.find(({ id }) => id === 2)?.error).toBeDefined());
    expect(bridge.asked.filter(({ name }) => name === "invoke_tool_for_app")).toHaveLength(0);
  });

  it("opens a web page after a question, and nothing else", async () => {
    const { bridge, user } = await openApp();
    const { request, send, received, begin } = await frameOf();
    await begin();
    expect((await request(2, "ui/open-link", { url: "file:///etc/passwd" })).result).toMatchObject({ isError: true });
    send({ id: 3, method: "ui/open-link", params: { url: "https://example.com/a" } });
    expect(await screen.findByTestId("app-address")).toHaveTextContent("https://example.com/a");
    await user.click(screen.getByRole("button", { name: "Open page" }));
    await waitFor(() => expect(received.find(({ id }) => id === 3)?.result).toMatchObject({ isError: false }));
    expect(bridge.opened).toEqual([{ kind: "address", address: "https://example.com/a" }]);
  });

  it("has a bounded height, and its messages are shown", async () => {
    await openApp();
    const { frame, request, send, begin } = await frameOf();
    await begin();
    send({ method: "ui/notifications/size-changed", params: { height: 1e9 } });
    await waitFor(() => expect(frame.style.height).toBe(`${HEIGHT_MAX}px`));
    expect((await request(2, "ui/message", { role: "user", content: [{ type: "text", text: "Hello" }] })).result).toMatchObject({ isError: true });
    expect(screen.getByTestId("app-message")).toHaveTextContent("Hello");
    expect((await request(3, "ui/update-model-context", { content: [] })).error).toBeDefined();
  });

  it("ignores other origins, and is closed by a flood", async () => {
    const { user } = await openApp();
    const { received, send } = await frameOf();
    send({ id: 1, method: "ping" }, "https://example.com");
    for (let count = 0; count < MESSAGES_AT_ONCE + 100; count += 1) send({ method: "notifications/message", params: { level: "info", data: count } });
    expect(await screen.findByTestId("app-problem")).toHaveTextContent(`The app was closed. It sent more than ${MESSAGES_PER_SECOND} messages per second.`);
    expect(received.filter(({ id }) => id === 1)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Reload app" }));
    expect(await screen.findByTestId("app-frame")).toBeInTheDocument();
  });

  it("is torn down before another page is shown", async () => {
    const { stores } = await openApp();
    const { received, send, begin } = await frameOf();
    await begin();
    await waitFor(() => expect(received.map(({ method }) => method)).toContain("ui/notifications/tool-result"));
    act(() => stores.navigation.openHistory());
    const teardown = await waitFor(() => {
      const message = received.find(({ method }) => method === "ui/resource-teardown");
      if (!message) throw new Error("no teardown");
      return message;
    });
    expect(stores.navigation.place.get().kind).toBe("tool");
    send({ id: teardown.id, result: {} });
    await waitFor(() => expect(stores.navigation.place.get().kind).toBe("history"));
    expect(screen.queryByTestId("app-frame")).not.toBeInTheDocument();
  });

  it("shows the reason if it can't be opened", async () => {
    const opened = openWindow({ members: [mockMember(mockView("forge"), tools)] });
    act(() => opened.stores.navigation.openTool("forge", "chart"));
    await opened.user.click(await screen.findByTestId("run"));
    await opened.user.click(await screen.findByRole("tab", { name: "App" }));
    expect(await screen.findByTestId("app-problem")).toHaveTextContent("The app can't be shown: its resource is empty.");
  });
});

describe("the messages of an app", () => {
  it("are limited in values and characters", () => {
    expect(isSmall({ a: ["x", 1, null] })).toBe(true);
    expect(isSmall("x".repeat(CHARACTERS_MAX + 1))).toBe(false);
    expect(isSmall(Array.from({ length: VALUES_MAX + 1 }, () => 0))).toBe(false);
    expect(isSmall(new ArrayBuffer(1))).toBe(false);
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    expect(isSmall(cycle)).toBe(false);
  });

  it("may continue at the permitted rate", async () => {
    let nowMs = 0;
    const fail = vi.fn();
    const transport = new FrameTransport(window, ORIGIN, fail, () => nowMs);
    onTestFinished(() => transport.close());
    await transport.start();
    for (let count = 0; count < MESSAGES_AT_ONCE * 3; count += 1) {
      nowMs += 1_000 / MESSAGES_PER_SECOND;
      window.dispatchEvent(new MessageEvent("message", { data: {}, origin: ORIGIN, source: window }));
    }
    expect(fail).not.toHaveBeenCalled();
  });
});
