/** The members that the fake bridge begins with: one of each state that the window has to show. */
import type { FoundBy, ListProblem, MemberView, Report, ToolHints, ToolSummary } from "../bindings";
import type { FakeOffers } from "./offers";

/** A tool of a fake member, with what its server would say. */
export interface FakeTool {
  summary: ToolSummary;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown> | null;
}

export interface FakeMember {
  view: MemberView;
  tools: FakeTool[];
  command: string;
  /** Lines that its process has written to stderr. */
  stderr: string[];
  /** What was left out of its list. */
  problems?: ListProblem[];
  /** How its list was found, where its server did not say it. */
  found?: FoundBy;
  /** Its resources and prompts; none by default. */
  offers?: FakeOffers;
}

const NO_HINTS: ToolHints = {
  readOnly: null,
  destructive: null,
  idempotent: null,
  openWorld: null,
};

interface ToolSketch {
  name: string;
  title?: string;
  description: string;
  hints?: Partial<ToolHints>;
  input?: Record<string, unknown>;
  output?: Record<string, unknown>;
}

export function fakeTool(member: string, sketch: ToolSketch): FakeTool {
  return {
    summary: {
      member,
      name: sketch.name,
      title: sketch.title ?? null,
      summary: (sketch.description.split(/(?<=\.)\s/)[0] ?? "").slice(0, 200),
      mark: null,
      hints: { ...NO_HINTS, ...sketch.hints },
    },
    description: sketch.description,
    inputSchema: sketch.input ?? { type: "object", properties: {} },
    outputSchema: sketch.output ?? null,
  };
}

export function fakeView(name: string, changes: Partial<MemberView> = {}): MemberView {
  return {
    name,
    version: "1.0.0",
    description: "",
    transport: "stdio",
    lifecycle: "eager",
    status: "ready",
    step: null,
    freshness: "live",
    listedAtMs: Date.now() - 60_000,
    tools: 0,
    port: null,
    pid: null,
    sinceMs: Date.now() - 75_000,
    retryAtMs: null,
    attempt: 0,
    protocolVersion: null,
    lastStderr: null,
    error: null,
    warnings: [],
    calls: 0,
    trust: { origin: null, launch: "own", holds: false, held: 0 },
    ...changes,
  };
}

export function fakeMember(
  view: MemberView,
  tools: FakeTool[],
  extra: Partial<Pick<FakeMember, "command" | "stderr">> = {},
): FakeMember {
  return {
    view: { ...view, tools: tools.length },
    tools,
    command: extra.command ?? `guildhall member ${view.name}`,
    stderr: extra.stderr ?? [`${view.name}: listening`],
  };
}

function text(description: string, more: Record<string, unknown> = {}) {
  return { type: "string", description, ...more };
}

function files(): FakeMember {
  const name = "filesystem";
  const tools = [
    fakeTool(name, {
      name: "read_file",
      description: "Reads a file as text. The path is taken from the member's folder.",
      hints: { readOnly: true, idempotent: true },
      input: {
        type: "object",
        required: ["path"],
        properties: {
          path: text("Which file"),
          head: { type: "integer", minimum: 1, description: "Only so many lines from the start" },
          encoding: { type: "string", enum: ["utf-8", "latin-1"], default: "utf-8" },
        },
      },
    }),
    fakeTool(name, {
      name: "edit_file",
      description:
        "Makes line-based edits to a text file. Each edit replaces an exact run of lines with " +
        "another and the tool answers with a difference in the format of git. Nothing is written " +
        "while `dryRun` is set.",
      hints: { destructive: true, idempotent: true },
      input: {
        type: "object",
        required: ["path", "edits"],
        properties: {
          path: text("Which file"),
          edits: {
            type: "array",
            items: {
              type: "object",
              required: ["oldText", "newText"],
              properties: { oldText: text("What to look for"), newText: text("What to put there") },
            },
          },
          dryRun: { type: "boolean", default: false, description: "Only show the difference" },
        },
      },
    }),
    fakeTool(name, {
      name: "search_files",
      description: "Finds files by a pattern, folders included.",
      hints: { readOnly: true },
      input: {
        type: "object",
        required: ["pattern"],
        properties: {
          pattern: text("A pattern such as **/*.md"),
          exclude: { type: "array", items: { type: "string" } },
        },
      },
      output: { type: "object", properties: { matches: { type: "array" } } },
    }),
    fakeTool(name, {
      name: "move_file",
      description: "Moves or renames a file.",
      hints: { destructive: true },
      input: {
        type: "object",
        required: ["source", "destination"],
        properties: { source: text("From"), destination: text("To") },
      },
    }),
  ];
  const view = fakeView(name, {
    version: "2.1.0",
    description: "Files under one folder",
    transport: "http",
    port: 20000,
    pid: 41_207,
    protocolVersion: "2025-11-25",
  });
  return fakeMember(view, tools, {
    command: "/opt/guild/bin/guildhall member filesystem --port 20000 --root ./files",
    stderr: [
      "\u001b[32mINFO\u001b[0m listening on 127.0.0.1:20000",
      "\u001b[32mINFO\u001b[0m session opened, protocol 2025-11-25",
      "\u001b[33mWARN\u001b[0m ./files/old has 12,400 entries\u0007",
    ],
  });
}

function browser(): FakeMember {
  const name = "playwright";
  const tools = ["click", "close", "drag", "evaluate", "fill_form", "hover", "navigate", "press_key", "snapshot", "take_screenshot"].map(
    (verb) =>
      fakeTool(name, {
        name: `browser_${verb}`,
        description: `Does ${verb.replaceAll("_", " ")} in the page. Needs an open page.`,
        hints: { openWorld: true, readOnly: verb === "snapshot" || verb === "take_screenshot" },
        input: { type: "object", properties: { target: text("Which element") } },
      }),
  );
  return fakeMember(
    fakeView(name, { status: "starting", freshness: "cached", pid: 41_377, sinceMs: Date.now() - 2_000 }),
    tools,
    { command: "npx -y @playwright/mcp@0.0.41", stderr: ["npm: fetching…"] },
  );
}

function warehouse(): FakeMember {
  const name = "warehouse";
  const tools = Array.from({ length: 2_000 }, (_, index) =>
    fakeTool(name, {
      name: `item_${String(index).padStart(4, "0")}_${index % 3 === 0 ? "lookup" : "update"}`,
      description: `Works on item ${index} of the warehouse.`,
      hints: index % 3 === 0 ? { readOnly: true } : {},
      input: { type: "object", properties: { amount: { type: "integer" } } },
    }),
  );
  return fakeMember(fakeView(name, { pid: 41_399, protocolVersion: "2025-06-18" }), tools);
}

function failing(): FakeMember {
  const error: Report = {
    code: "member-exited",
    message:
      "The process ended with exit code 1 before its handshake was done. Last line on stderr: " +
      "Error: connect ECONNREFUSED 127.0.0.1:27017, no database answers at mongodb://localhost",
    hint: "Start the database, or set MONGODB_URI in the manifest, then restart the member.",
    member: "mongodb",
  };
  const tools = ["aggregate", "count", "find", "insert_many"].map((verb) =>
    fakeTool("mongodb", { name: verb, description: `Runs ${verb} on a collection.` }),
  );
  return fakeMember(
    fakeView("mongodb", {
      status: "crash-loop",
      freshness: "outdated",
      attempt: 5,
      error,
      lastStderr: "Error: connect ECONNREFUSED 127.0.0.1:27017",
    }),
    tools,
    {
      command: "npx -y mongodb-mcp-server@1.2.0",
      stderr: [
        "mongodb-mcp-server 1.2.0",
        "\u001b[31mError: connect ECONNREFUSED 127.0.0.1:27017\u001b[39m",
        "    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)",
      ],
    },
  );
}

/** A hall with one member of each kind. */
export function sampleMembers(): FakeMember[] {
  const long = "a-member-whose-name-has-the-full-sixty-four-characters-allowed-x";
  return [
    files(),
    browser(),
    failing(),
    warehouse(),
    fakeMember(
      fakeView("memory", {
        status: "stopped",
        freshness: "cached",
        lifecycle: "on-demand",
        description: "A knowledge graph kept in one file",
        protocolVersion: null,
      }),
      [
        fakeTool("memory", { name: "create_entities", description: "Adds entities to the graph.", hints: { destructive: true } }),
        fakeTool("memory", { name: "read_graph", description: "Reads the whole graph.", hints: { readOnly: true, idempotent: true } }),
      ],
    ),
    fakeMember(
      fakeView("time", {
        status: "backoff",
        freshness: "cached",
        attempt: 3,
        retryAtMs: Date.now() + 4_000,
        error: {
          code: "start-timeout",
          message: "The member did not answer within 30 s.",
          hint: "Look at its log, or raise `timeouts.start_ms` in its manifest.",
          member: "time",
        },
      }),
      [fakeTool("time", { name: "now", description: "Says what time it is.", hints: { readOnly: true } })],
    ),
    fakeMember(fakeView("github", { status: "disabled", freshness: "unknown" }), []),
    fakeMember(
      fakeView(long, {
        status: "error",
        freshness: "unknown",
        error: {
          code: "manifest-field",
          message: `plugin.json line 4: \`command\` is missing. ${"A long text follows. ".repeat(90)}`,
          hint: "Add a `command` or a `url`.",
          member: long,
        },
      }),
      [],
    ),
  ];
}
