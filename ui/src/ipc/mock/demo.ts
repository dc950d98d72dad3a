/** A mock bridge with demo data that changes over time, for development in a browser. */
import type { Bridge } from "../bridge";
import { MockBridge, type MockCall } from ".";
import { mockPlace, mockServer } from "./found";
import { cancelledEnd, failedEnd, textEnd } from "../../testing/callEnds";
import { recordedMembers } from "../../testing/samples";

const STEPS = 8;
const STEP_MS = 500;

/** The resources, templates and prompts of the demo member `filesystem`. */
const OFFERS = {
  resources: [
    { uri: "file:///srv/notes.md", name: "notes.md", title: "Notes", description: "What was noted lately", mimeType: "text/markdown", size: 2_048 },
  ],
  templates: [
    { uriTemplate: "file:///srv{/folder*}/{name}", variables: ["folder", "name"], name: "file", title: "Any file", description: null, mimeType: null },
  ],
  prompts: [
    {
      name: "summarise",
      title: "Summarise a file",
      description: "Asks for a summary of a file.",
      arguments: [{ name: "path", title: null, description: "Which file", required: true }],
    },
  ],
};

/** The tool of `filesystem` whose call sends an elicitation to the user. */
const ASKING = "edit_file";
const QUESTION = {
  type: "object",
  required: ["reason"],
  properties: { reason: { type: "string", description: "Goes into the log" }, keep: { type: "boolean", default: true } },
};

const slowly: MockCall = async (request, progress, cancelled) => {
  for (let step = 1; step <= STEPS; step += 1) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    if (cancelled.aborted) return cancelledEnd(request.member);
    progress(step, STEPS, `step ${step}`);
  }
  return textEnd(`${request.tool} was called with\n${request.arguments}`, request.tool === "move_file");
};

/** The default number of calls in the history. The query parameter `?calls=100000` sets another number. */
const CALLS = 60;
/** The interval of the agent's requests, in milliseconds. */
const ASKING_MS = 4_000;
const SPACING_MS = 7 * 60_000;

/** Adds calls with all kinds of outcomes to the history, some with long or right-to-left text. */
function rememberCalls(bridge: MockBridge, count: number): void {
  const tools = [
    ["filesystem", "read_file", (index: number) => ({ path: `notes/${index}.md`, encoding: "utf-8" })],
    ["filesystem", "edit_file", (index: number) => ({ path: `notes/${index}.md`, edits: [{ oldText: "colour", newText: "color" }], dryRun: index % 2 === 0 })],
    ["warehouse", "item_0003_lookup", (index: number) => ({ amount: index })],
    ["memory", "create_entities", () => ({ name: "ידידי היקר", note: "مرحبا بالعالم ".repeat(12) })],
    ["playwright", "browser_navigate", (index: number) => ({ url: `https://example.org/${"a-very-long-path/".repeat(6)}${index}` })],
  ] as const;
  for (let index = 0; index < count; index += 1) {
    const [member, tool, args] = tools[index % tools.length] ?? tools[0];
    const failed = index % 11 === 4;
    const code = index % 2 === 0 ? ("call-timeout" as const) : ("call-cancelled" as const);
    bridge.history.record(
      {
        call: `past-${index}`,
        member,
        tool,
        startedAtMs: Date.now() - (count - index) * SPACING_MS,
        durationMs: 12 + ((index * 7_919) % 4_000),
        request: null,
        structured: null,
        end: failed
          ? failedEnd(code, "No answer within 30 s.", {}, member)
          : textEnd(`answer ${index}: ${"word ".repeat(index % 40)}`, index % 7 === 3),
      },
      JSON.stringify(args(index)),
    );
  }
}

/** Simulates an agent that lists and calls tools. One of its calls waits for approval. */
function haveAgentsAsk(bridge: MockBridge): void {
  const { gateway } = bridge;
  gateway.policies.manifest.set("filesystem/move_file", "ask");
  void gateway.handlers.add_agent_client({ name: "claude-code", endpoints: null });
  setInterval(() => {
    const call = { method: "tools/call", member: "filesystem", tool: "read_file", request: '{"path":"notes.md"}', response: '{"content":[]}' };
    gateway.see([{ method: "tools/list" }, { ...call, durationUs: 40 + Math.round(Math.random() * 900) }]);
  }, ASKING_MS);
  setTimeout(() => void gateway.askFor({ member: "filesystem", tool: "move_file", arguments: '{"source": "notes.md", "destination": "old/notes.md"}' }), 2 * ASKING_MS);
}

export function demoBridge(): Bridge {
  const members = recordedMembers().map((member) => (member.view.name === "filesystem" ? { ...member, offers: OFFERS } : member));
  const bridge: MockBridge = new MockBridge({
    members,
    startMs: 1_500,
    onCall: async (request, progress, cancelled) => {
      const { member, tool, call } = request;
      if (tool === ASKING) {
        const mode = { kind: "form" as const, schema: JSON.stringify(QUESTION), notes: [] };
        await bridge.elicit({ member, tool, call, message: "Why is the file edited?", mode });
      }
      return slowly(request, progress, cancelled);
    },
    onComplete: ({ value }) => Promise.resolve(["notes.md", "notes.old.md", "readme.md"].filter((name) => name.startsWith(value))),
  });
  rememberCalls(bridge, Number(new URLSearchParams(location.search).get("calls") ?? CALLS));
  setTimeout(() => bridge.change("playwright", { status: "ready", freshness: "live", sinceMs: Date.now() }), 6_000);
  haveAgentsAsk(bridge);
  bridge.found.servers = [
    mockServer("github", { launch: { kind: "command", command: "npx", args: ["-y", "@modelcontextprotocol/server-github"], env: [{ name: "GITHUB_TOKEN", value: "•••", secret: true }], cwd: null } }),
    mockServer("sqlite", { places: [mockPlace({ program: "cursor", title: "Cursor", path: "/home/me/.cursor/mcp.json", name: "sqlite" })] }),
  ];
  let beat = 0;
  setInterval(() => {
    beat += 1;
    bridge.write("filesystem", [`\u001b[32mINFO\u001b[0m heartbeat ${beat}`]);
  }, 1_000);
  return bridge;
}
