/** The host's side of one app (MCP Apps, SEP-1865): answers its requests and sends it the call that opened it. */
import { AppBridge, type McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { CallToolResult, ReadResourceResult } from "@modelcontextprotocol/client";
import { config } from "zod/v4";

import type { CallEnd } from "../../ipc/bindings";
import { FrameTransport } from "./frameTransport";

// By default, zod generates code at run time, which the window's content security policy forbids.
config({ jitless: true });

/** The maximum height of an app in pixels. */
export const HEIGHT_MAX = 2_000;
/** The maximum length of a result that an app receives, in characters. */
const RESULT_MAX = 4 << 20;
/** The maximum number of an app's requests to its server that can be pending at the same time. */
const REQUESTS_MAX = 8;
/** The maximum length of a message that is shown to the user, in characters. */
const MESSAGE_MAX = 1_000;
/** The time in milliseconds in which an app can finish before it is closed. */
const LEAVE_MS = 300;

interface Host {
  readonly frame: Window;
  readonly origin: string;
  /** The arguments and the result of the call that opened the app, as JSON text. */
  readonly arguments: string;
  readonly result: string;
  readonly context: McpUiHostContext;
  readonly onReady: () => void;
  readonly onHeight: (height: number) => void;
  /** Shows a text that the app wrote for an agent. */
  readonly onMessage: (text: string) => void;
  /** Closes the app and shows the reason. */
  readonly onFail: (reason: string) => void;
  readonly call: (tool: string, args: string) => Promise<CallEnd>;
  readonly read: (uri: string) => Promise<CallEnd>;
  /** Opens a web page if the user agrees. */
  readonly openLink: (address: string) => Promise<boolean>;
}

export interface ConnectedApp {
  readonly update: (changes: McpUiHostContext) => void;
  /** Asks the app to finish, waits at most `LEAVE_MS`, then disconnects the app. */
  readonly leave: () => Promise<void>;
  /** Disconnects the app at once, because its frame is gone. */
  readonly drop: () => void;
}

export function connectApp(host: Host): ConnectedApp {
  const capabilities = { openLinks: {}, serverTools: {}, serverResources: {} };
  const bridge = new AppBridge(null, { name: "Guild Hall", version: "1" }, capabilities, { hostContext: host.context });
  let { context } = host;
  let isReady = false;
  let requests = 0;
  const ask = async <T>(request: () => Promise<CallEnd>): Promise<T> => {
    if (requests >= REQUESTS_MAX) throw new Error(`More than ${REQUESTS_MAX} requests at the same time.`);
    requests += 1;
    try {
      const end = await request();
      if (end.kind === "failed") throw new Error(end.report.message);
      return parsed(end.result) as T;
    } finally {
      requests -= 1;
    }
  };
  bridge.oncalltool = ({ name, arguments: args }) => ask<CallToolResult>(() => host.call(name, JSON.stringify(args ?? {})));
  bridge.onreadresource = ({ uri }) => ask<ReadResourceResult>(() => host.read(uri));
  bridge.onopenlink = async ({ url }) => ({ isError: !(await host.openLink(url)) });
  bridge.onmessage = ({ content }) => {
    const texts = content.map((part) => (part.type === "text" ? part.text : `(${part.type})`));
    host.onMessage(texts.join("\n").slice(0, MESSAGE_MAX));
    return Promise.resolve({ isError: true });
  };
  bridge.onrequestdisplaymode = () => Promise.resolve({ mode: "inline" as const });
  bridge.addEventListener("sizechange", ({ height }) => {
    if (height !== undefined && Number.isFinite(height)) host.onHeight(Math.min(Math.max(height, 0), HEIGHT_MAX));
  });
  bridge.addEventListener("initialized", () => {
    if (isReady) return;
    isReady = true;
    host.onReady();
    try {
      const result = parsed(host.result) as CallToolResult;
      const input = { arguments: JSON.parse(host.arguments) as Record<string, unknown> };
      // An error here means that the frame was closed, so it is ignored.
      bridge.sendToolInput(input).then(() => bridge.sendToolResult(result)).catch(() => undefined);
    } catch (reason) {
      host.onFail(reason instanceof Error ? reason.message : String(reason));
    }
  });
  const transport = new FrameTransport(host.frame, host.origin, host.onFail);
  bridge.connect(transport).catch((reason: unknown) => host.onFail(String(reason)));
  let leaving: Promise<void> | null = null;
  const leave = async () => {
    if (isReady) await bridge.teardownResource({}, { timeout: LEAVE_MS }).catch(() => undefined);
    await bridge.close();
  };
  return {
    update: (changes) => {
      context = { ...context, ...changes };
      bridge.setHostContext(context);
    },
    leave: () => (leaving ??= leave()),
    drop: () => void bridge.close(),
  };
}

function parsed(text: string): unknown {
  if (text.length > RESULT_MAX) throw new Error("The result is too large for the app.");
  return JSON.parse(text);
}
