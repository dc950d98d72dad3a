/** The recording `guild`: an engine with members in many states, and the requests whose answers are recorded. */
import { join } from "node:path";

import { zipped } from "./zip.mjs";

const CLAUDE = ".claude.json";
const CURSOR = ".cursor/mcp.json";
const REGISTRY = "registry/servers.json";
const EXITED = { args: ["--stdio", "--exit-at-once", "1", "--stderr-line", "Error: connect ECONNREFUSED 127.0.0.1:27017"] };

const text = (description, more = {}) => ({ type: "string", description, ...more });
const tool = (name, description, properties, required = [], annotations = {}) => ({
  name,
  description,
  inputSchema: { type: "object", required, properties },
  annotations,
});

const tools = {
  filesystem: [
    tool(
      "read_file",
      "Reads a file as text. The path is taken from the member's folder.",
      { path: text("Which file"), head: { type: "integer", minimum: 1, description: "Only so many lines from the start" }, encoding: { type: "string", enum: ["utf-8", "latin-1"], default: "utf-8" } },
      ["path"],
      { readOnlyHint: true, idempotentHint: true },
    ),
    tool(
      "edit_file",
      "Makes line-based edits to a text file. Nothing is written while `dryRun` is set.",
      {
        path: text("Which file"),
        edits: {
          type: "array",
          items: { type: "object", required: ["oldText", "newText"], properties: { oldText: text("What to look for"), newText: text("What to put there") } },
        },
        dryRun: { type: "boolean", default: false, description: "Only show the difference" },
      },
      ["path", "edits"],
      { destructiveHint: true, idempotentHint: true },
    ),
    {
      ...tool("search_files", "Finds files by a pattern, folders included.", { pattern: text("A pattern such as **/*.md"), exclude: { type: "array", items: { type: "string" } } }, ["pattern"], { readOnlyHint: true }),
      outputSchema: { type: "object", properties: { matches: { type: "array" } } },
    },
    tool("move_file", "Moves or renames a file.", { source: text("From"), destination: text("To") }, ["source", "destination"], { destructiveHint: true }),
  ],
  memory: [
    tool("create_entities", "Adds entities to the graph.", {}, [], { destructiveHint: true }),
    tool("read_graph", "Reads the whole graph.", {}, [], { readOnlyHint: true, idempotentHint: true }),
  ],
};

const listed = { type: "stdio" };
const servers = [
  {
    name: "com.example/notes",
    version: "1.4.0",
    title: "Notes",
    description: "Keeps notes and finds them again.",
    websiteUrl: "https://notes.example/",
    repository: { url: "https://code.example/notes", source: "github" },
    packages: [
      {
        registryType: "npm",
        identifier: "@example/notes",
        version: "1.4.0",
        transport: listed,
        packageArguments: [{ type: "positional", valueHint: "folder", description: "Where the notes are", isRequired: true }],
        environmentVariables: [
          { name: "NOTES_TOKEN", description: "The token of the account", isRequired: true, isSecret: true },
          { name: "NOTES_LIMIT", format: "number", default: "100" },
        ],
      },
    ],
  },
  { name: "com.example/weather", version: "0.9.0", description: "Forecasts.", packages: [{ registryType: "pypi", identifier: "example-weather", version: "0.9.0", transport: listed }] },
];

/** This server is imported during the recording. Its program does not exist, so that no process starts. */
const SQLITE = { command: "example-sqlite-server", args: ["--db", "notes.db"] };
const launched = (name, more = {}) => ({ command: "npx", args: ["-y", `@modelcontextprotocol/server-${name}`], ...more });

export const guild = {
  members: {
    filesystem: { version: "2.1.0", description: "Files under one folder", args: ["--stdio", "--offers", "--tools-json", "./tools.json"] },
    playwright: { args: ["--stdio", "--hold-until", "/nowhere"] },
    mongodb: { ...EXITED, restart: "never" },
    warehouse: { args: ["--stdio", "--tools", "20"] },
    memory: { description: "A knowledge graph kept in one file", lifecycle: "on-demand", args: ["--stdio", "--tools-json", "./tools.json"] },
    time: EXITED,
    github: { enabled: false, args: ["--stdio"] },
    careful: { args: ["--stdio"], tools: { echo: { policy: "ask" } } },
    "no-command": '{ "name": "no-command", "transport": "stdio" }',
  },
  tools,
  files: {
    [CLAUDE]: JSON.stringify({ theme: "dark", mcpServers: { github: launched("github", { env: { GITHUB_TOKEN: "ghp_0123456789abcdef" } }), sqlite: SQLITE } }, null, 2),
    [CURSOR]: JSON.stringify({ mcpServers: { sqlite: SQLITE } }, null, 2),
    [REGISTRY]: JSON.stringify(servers),
  },
};

const STATES = { mongodb: "error", time: "backoff", playwright: "starting" };
const LISTED = ["filesystem", "warehouse", "memory", "careful"];
const ALL = { text: null, member: null, tool: null, outcome: null, caller: null, sinceMs: null, untilMs: null, entry: null, session: null };
const RULES = { readOnly: null, changing: null, destructive: "ask", unsaid: null, openWorld: null };
const NO_RULES = { ...RULES, destructive: null };
const PROFILE = {
  name: "writing",
  listing: "search",
  resultTokens: null,
  rules: NO_RULES,
  members: [{ member: "filesystem", withoutPrefix: true, tools: { kind: "all" }, offers: { kind: "all" }, changes: { move_file: { name: "rename", description: null, policy: "ask" } } }],
};

/** The number of the agent's messages to the gateway that appear in the traffic. */
const EXCHANGES = 4;

/** Writes an MCPB bundle with a small server. Returns its path. */
function packBundle(engine) {
  const manifest = {
    manifest_version: "0.2",
    name: "weather",
    display_name: "Weather",
    version: "1.0.0",
    description: "Forecasts.",
    author: { name: "Someone" },
    license: "MIT",
    server: { type: "node", entry_point: "server/index.js", mcp_config: { command: "node", args: ["${__dirname}/server/index.js", "--place", "${user_config.place}"], env: { KEY: "${user_config.api_key}" } } },
    user_config: {
      api_key: { type: "string", title: "Key", description: "The key of the account", sensitive: true, required: true },
      place: { type: "string", title: "Place", description: "The place of the forecast", default: "Oslo" },
    },
    tools: [{ name: "forecast", description: "The weather" }],
  };
  engine.write("weather.mcpb", zipped({ "manifest.json": JSON.stringify(manifest), "server/index.js": "// nothing\n" }));
  return join(engine.home, "weather.mcpb");
}

/** Sends a message to the gateway as an agent. Returns the session id of the answer, if it has one. */
async function asAgent(address, id, method, params, session) {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", ...(session && { "mcp-session-id": session }) };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...(id && { id }), method, params }) });
  await answer.text();
  return answer.headers.get("mcp-session-id") ?? undefined;
}

/** Sends all requests. `ask(command, request, label?)` records the answer; `engine.ask` does not record it. */
export async function askGuild(engine, ask) {
  const own = (member) => ({ member });
  const view = async (name) => (await engine.ask("roster", {})).members.find((member) => member.name === name);
  for (const [name, status] of Object.entries(STATES)) await engine.until(async () => (await view(name)).status === status);
  for (const name of LISTED) await engine.until(async () => (await view(name)).freshness !== "unknown");
  await engine.ask("stop_member", own("memory"));

  await ask("roster", {});
  await ask("app_info", {});
  for (const name of ["filesystem", "warehouse", "memory", "mongodb", "playwright", "nobody"]) {
    await ask("member_tools", own(name));
    await ask("member_detail", own(name));
  }
  for (const { name } of [...tools.filesystem, { name: "no_such_tool" }]) await ask("tool_detail", { member: "filesystem", tool: name });
  for (const { name } of tools.memory) await ask("tool_detail", { member: "memory", tool: name });
  await ask("search_tools", { query: "file", limit: 200 });
  await ask("search_tools", { query: "zeppelin", limit: 200 });
  await ask("member_offers", own("filesystem"));
  await ask("read_member_log", { member: "mongodb", before: null, filter: { contains: "", start: null }, limit: 100 });
  await ask("member_review", own("filesystem"));
  await ask("revisions", { member: "filesystem", before: null, limit: 50 });
  await ask("dev_state", own("filesystem"));
  await ask("sign_in_state", own("filesystem"));
  await ask("prediction_request", own("filesystem"));

  let call = 0;
  const invoke = (member, name, args, check = "refuse") => {
    call += 1;
    return ask("invoke_tool", { call: `call-${call}`, member, tool: name, arguments: args, check, timeoutMs: null });
  };
  await ask("search_history", { filter: ALL, before: null, limit: 100 }, "nothingCalled");
  await invoke("filesystem", "read_file", '{"path":"notes.md"}');
  await invoke("filesystem", "read_file", '{"head":0}');
  await invoke("warehouse", "fail", "{}");
  await invoke("warehouse", "rpc_error", "{}");
  await ask("check_arguments", { member: "filesystem", tool: "read_file", arguments: '{"path":"notes.md"}' });
  await ask("check_arguments", { member: "filesystem", tool: "read_file", arguments: '{"head":0}' });
  for (const form of ["json-rpc", "curl", "guildhall", "client-config"]) await ask("copy_as", { member: "filesystem", tool: "read_file", arguments: '{"path":"notes.md"}', form });
  const { entries } = await engine.ask("search_history", { filter: ALL, before: null, limit: 100 });
  await ask("search_history", { filter: ALL, before: null, limit: 100 });
  for (const { id } of entries) await ask("history_entry", { id });
  await ask("history_entry", { id: 999 });
  await ask("history_settings", {});
  await ask("saved_calls", { member: null, tool: null }, "nothingSaved");
  const saving = { member: "filesystem", tool: "read_file", name: "the notes", arguments: '{"path":"notes.md"}', existing: "keep" };
  await ask("save_call", saving);
  await ask("save_call", saving, "nameTaken");
  await ask("saved_calls", { member: null, tool: null });
  await ask("kept_draft", { member: "filesystem", tool: "read_file" });
  await ask("read_resource", { call: "call-r1", member: "filesystem", uri: "fixture://text", timeoutMs: null });
  await ask("read_resource", { call: "call-r2", member: "filesystem", uri: "fixture://nowhere", timeoutMs: null });
  await ask("get_prompt", { call: "call-p1", member: "filesystem", prompt: "plain", arguments: {}, timeoutMs: null });

  // Without a window, the engine cancels elicitations at once, so the list is empty.
  await ask("elicitations", {});

  await ask("catalog", { profile: null });
  await ask("gateway", {});
  await ask("client_configs", { endpoint: { kind: "all" } });
  await ask("preview_policy_rules", { profile: null, rules: RULES });
  await ask("save_policy_rules", { profile: null, rules: RULES });
  await ask("gateway", {}, "ruled");
  await ask("catalog", { profile: null }, "ruled");
  await engine.ask("save_policy_rules", { profile: null, rules: NO_RULES });
  await ask("set_tool_policies", { profile: null, tools: [{ member: "filesystem", tool: "read_file", policy: "deny" }] });
  await ask("catalog", { profile: null }, "denied");
  await engine.ask("set_tool_policies", { profile: null, tools: [{ member: "filesystem", tool: "read_file", policy: null }] });
  await ask("save_profile", { profile: PROFILE, insteadOf: null });
  await ask("save_profile", { profile: { ...PROFILE, name: "no name" }, insteadOf: null }, "refused");
  await ask("catalog", { profile: "writing" });
  await ask("export_team", { profile: "writing", target: "compose", image: "team/guild", gatewayImage: "team/guild-hall:1.0", gatewayPort: null, url: null });
  await ask("export_team", { profile: "writing", target: "kubernetes", image: "team/guild", gatewayImage: "team/guild-hall:1.0", gatewayPort: null, url: null });
  await ask("add_agent_client", { name: "claude-code", endpoints: null });
  await ask("gateway", {}, "used");

  const { address } = await engine.ask("gateway", {});
  const session = await asAgent(address, 1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "claude-code", version: "1" } });
  await asAgent(address, null, "notifications/initialized", {}, session);
  await asAgent(address, 2, "tools/list", {}, session);
  await asAgent(address, 3, "tools/call", { name: "filesystem__read_file", arguments: { path: "notes.md" } }, session);
  await ask("approvals", {});
  const waits = asAgent(address, 4, "tools/call", { name: "careful__echo", arguments: {} }, session).catch(() => undefined);
  await engine.until(async () => (await engine.ask("approvals", {})).approvals.length > 0);
  await ask("approvals", {}, "asked");
  const { approvals } = await engine.ask("approvals", {});
  await ask("decide_approval", { id: approvals[0].id, decision: "deny", arguments: null, check: "refuse" });
  await waits;
  await ask("decide_approval", { id: approvals[0].id, decision: "deny", arguments: null, check: "refuse" }, "ended");
  await engine.until(async () => (await engine.ask("gateway_traffic", {})).exchanges.length >= EXCHANGES);
  await ask("gateway_traffic", {});

  const wanted = { client: "cursor", path: null, endpoint: { kind: "all" }, handOver: false, allTools: false };
  await ask("preview_client_config", wanted);
  const { precondition } = await engine.ask("preview_client_config", wanted);
  await ask("write_client_config", { ...wanted, precondition });
  await ask("client_configs", { endpoint: { kind: "all" } }, "connected");
  await ask("undo_client_config", { client: "cursor", path: null });

  await ask("found_servers", {});
  const { servers: found } = await engine.ask("found_servers", {});
  const github = found.find(({ name }) => name === "github");
  const sqlite = found.find(({ name }) => name === "sqlite");
  await ask("look_for_servers", { folder: "project" });
  await ask("adopt_servers", { servers: [{ id: github.id, name: "github", inputs: [], keepCommand: true }] }, "nameTaken");
  await ask("adopt_servers", { servers: [{ id: sqlite.id, name: "sqlite", inputs: [], keepCommand: true }] });
  await ask("found_servers", {}, "adopted");
  await ask("member_review", own("sqlite"));

  await ask("secrets", {}, "none");
  await ask("set_secret", { name: "GITHUB_TOKEN", value: "hidden", place: null });
  await ask("secrets", {});
  await ask("remove_secret", { name: "GITHUB_TOKEN" });

  const brought = { kind: "text", text: "npx -y @modelcontextprotocol/server-everything" };
  await ask("read_brought", brought);
  await ask("read_brought", { kind: "text", text: "{" });
  await ask("beginnings", {});
  await ask("begin_member", { member: "begun", from: "shell" });
  await ask("begin_member", { member: "filesystem", from: "shell" });

  const source = join(engine.home, REGISTRY);
  await ask("search_registry", { source, query: "", cursor: null, call: "call-s1" });
  await ask("search_registry", { source, query: "zeppelin", cursor: null, call: "call-s2" });
  await ask("registry_server", { source, server: "com.example/notes", version: null });
  const notes = await engine.ask("registry_server", { source, server: "com.example/notes", version: null });
  const { id: way, asks } = notes.ways[0].install;
  const answers = '{"folder":"/notes","NOTES_TOKEN":"hidden"}';
  await ask("check_answers", { schema: asks.schema, answers: "{}" });
  await ask("check_answers", { schema: asks.schema, answers });
  await ask("install_registry_server", { source, server: notes.server, version: notes.version, way, member: "notes", answers });
  await ask("member_review", own("notes"));

  const path = packBundle(engine);
  await ask("look_into_mcpb", { path });
  const { digest } = await engine.ask("look_into_mcpb", { path });
  await ask("install_mcpb", { call: "call-b1", path, digest, member: "weather", update: false, answers: '{"api_key":"hidden"}' });
  await ask("look_into_mcpb", { path }, "installed");

  await ask("discovery_settings", {});
  await ask("settings", {});
  await ask("change_settings", { changes: [{ key: "appearance.theme", value: "dark" }] });
  await ask("change_settings", { changes: [{ key: "no.such", value: 1 }] });
  await ask("preview_bundle", {});

  // These requests are the last ones, because they change the state that the others read.
  await ask("report_visible_members", { members: ["filesystem"] });
  await ask("refresh_member", own("memory"));
  await ask("keep_draft", { member: "filesystem", tool: "read_file", draft: "{}" });
  await ask("rename_saved_call", { id: 1, name: "other notes" });
  await ask("delete_saved_call", { id: 1 });
  const file = (name) => join(engine.home, name);
  await ask("export_history", { filter: ALL, path: file("calls.jsonl") });
  await ask("agent_sessions", { limit: 20 });
  const { sessions } = await engine.ask("agent_sessions", { limit: 20 });
  await ask("agent_session", { id: sessions[0].of.first });
  await ask("agent_session", { id: 1 }, "notOfAgent");
  const suite = { kind: "suite", path: file("filesystem.suite.json") };
  await ask("create_checks", { call: "call-c1", calls: [1], target: suite, changing: true });
  await ask("run_suite", { call: "call-c2", path: suite.path, values: "{}" });
  await ask("save_member_log", { member: "mongodb", filter: { contains: "", start: null }, path: file("member.log") });
  await ask("write_bundle", { path: file("bundle.tar.gz") });
  await ask("change_gateway", { enabled: null, port: null, listing: "search" });
  await ask("change_gateway", { enabled: false, port: null, listing: null }, "off");
  await ask("delete_profile", { profile: "writing" });
  await ask("revoke_agent_client", { client: (await engine.ask("gateway", {})).clients[0].id });
  await ask("set_embeddings", { endpoint: null });
  await ask("confirm_read_only", { member: "filesystem", tool: "read_file", confirmed: true });
  await ask("hold_changes", { member: "filesystem", hold: true });
  const { list } = await engine.ask("member_review", own("filesystem"));
  await ask("accept_tools", { member: "filesystem", list, tools: null });
  await ask("accept_tools", { member: "filesystem", list: "other", tools: null }, "outdated");
  await ask("save_example", { member: "filesystem", name: "the notes", tool: "read_file", arguments: '{"path":"notes.md"}', expect: "{}" });
  await ask("run_examples", { call: "call-e1", member: "filesystem", names: null });
  await ask("dev_state", own("filesystem"), "ran");
  const { settings: seen } = await engine.ask("discovery_settings", {});
  await ask("change_discovery_settings", { seen, settings: { ...seen, timeoutMs: 5_000 } });
  await ask("change_discovery_settings", { seen, settings: seen }, "outdated");
  await ask("export_settings", { path: file("settings-copy.json") });
  await ask("change_settings", { changes: [{ key: "appearance.zoom", value: 120 }] }, "zoomed");
  await ask("preview_settings_import", { path: file("settings-copy.json") });
  const { hash } = await engine.ask("preview_settings_import", { path: file("settings-copy.json") });
  await ask("import_settings", { path: file("settings-copy.json"), hash });
  await ask("forget_found_folder", { folder: file("project") });
  await ask("create_mock", { calls: [1], of: "filesystem", member: "filesystem-mock" });
  await ask("create_mock", { calls: [1], of: "filesystem", member: "filesystem-mock" }, "nameTaken");
  await ask("clear_history", ALL);
  await ask("change_history_settings", { recording: false, keepCalls: 100_000, keepBytes: 536_870_912 });
}
