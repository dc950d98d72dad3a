/** Sample members for tests and screenshots, either recorded or created by a test, and the answers about them. */
import type { FoundBy, ListProblem, ManifestProblem, MemberFile, MemberOffers, MemberView, RosterView, ToolHints, ToolSummary } from "../ipc/bindings";
import { Refusal } from "../ipc/bridge";
import type { Answers } from "../ipc/answers";
import { find, recorded, refused } from "./recorded";

/** A tool with the description and schemas that its server sends. */
export interface SampleTool {
  summary: ToolSummary;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown> | null;
  /** The URI of the tool's app. */
  app?: string | undefined;
}

export interface Sample {
  view: MemberView;
  tools: SampleTool[];
  command?: string;
  /** The lines that the member's process has written to stderr. */
  stderr?: string[];
  /** The problems of tools that the engine left out of the tool list. */
  problems?: ListProblem[];
  /** The discovery method, if the tool list does not come from `tools/list`. */
  found?: FoundBy;
  /** The member's resources and prompts; none by default. */
  offers?: Partial<Omit<MemberOffers, "member">>;
}

interface ToolSketch {
  name: string;
  title?: string;
  description: string;
  hints?: Partial<ToolHints>;
  input?: Record<string, unknown>;
  output?: Record<string, unknown>;
  app?: string;
}

export const NO_OFFERS: Omit<MemberOffers, "member"> = { resources: [], templates: [], prompts: [], skills: [], problems: [] };
const NO_HINTS: ToolHints = { readOnly: null, destructive: null, idempotent: null, openWorld: null };
const LISTED_AGO_MS = 60_000;
const READY_AGO_MS = 75_000;

export function sampleTool(member: string, { name, title, description, hints, input, output, app }: ToolSketch): SampleTool {
  const summary = (description.split(/(?<=\.)\s/)[0] ?? "").slice(0, 200);
  return {
    summary: { member, name, title: title ?? null, summary, mark: null, hints: { ...NO_HINTS, ...hints } },
    description,
    inputSchema: input ?? { type: "object", properties: {} },
    outputSchema: output ?? null,
    app,
  };
}

/** The recorded view of a ready member, with a name and further changes. */
export function sampleView(name: string, changes: Partial<MemberView> = {}): MemberView {
  const { view } = recorded("member_detail", { member: "filesystem" });
  const plain = { name, version: "1.0.0", description: "", pid: null, protocolVersion: null, lastStderr: null };
  return { ...view, ...plain, listedAtMs: Date.now() - LISTED_AGO_MS, sinceMs: Date.now() - READY_AGO_MS, ...changes };
}

export function sample(view: MemberView, tools: SampleTool[], extra: Pick<Sample, "command" | "stderr"> = {}): Sample {
  return { view: { ...view, tools: tools.length }, tools, ...extra };
}

/** The recorded members. Their times are changed to about a minute ago. */
export function recordedMembers(): Sample[] {
  return recorded("roster").members.map((view) => ({
    view: { ...view, listedAtMs: view.listedAtMs && Date.now() - LISTED_AGO_MS, sinceMs: Date.now() - READY_AGO_MS },
    tools: (find("member_tools", { member: view.name })?.answer?.tools ?? []).map(recordedTool),
  }));
}

function recordedTool(summary: ToolSummary): SampleTool {
  const detail = find("tool_detail", { member: summary.member, tool: summary.name })?.answer;
  const schema = (text: string | null | undefined) => (text ? (JSON.parse(text) as Record<string, unknown>) : null);
  return {
    summary,
    description: detail?.description ?? summary.summary,
    inputSchema: schema(detail?.inputSchema) ?? { type: "object", properties: {} },
    outputSchema: schema(detail?.outputSchema),
  };
}

const NOT_JSON: ManifestProblem = { line: 1, column: 1, field: "", message: "The text is not valid JSON.", hint: "", severity: "error" };

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function manifestOf({ view: { name, version, transport }, command = `guildhall member ${name}` }: Sample): string {
  const [program, ...args] = command.split(" ");
  return JSON.stringify({ name, version, transport, command: program, args }, null, 2);
}

function memberFile(name: string, text: string, revision: string): MemberFile {
  const { folder } = recorded("member_detail", { member: "filesystem" });
  return { member: name, path: `${folder.replace("filesystem", name)}/plugin.json`, text, revision, accepts: false };
}

/** The functions of a mock bridge that `answersAbout` uses. */
interface SampleHall {
  readonly members: ReadonlyMap<string, Sample>;
  roster(): RosterView;
  start(name: string): Promise<unknown>;
  change(name: string, changes: Partial<MemberView>): MemberView;
  add(sample: Sample): void;
  remove(name: string): void;
}

/** The answers about a mock bridge's members: recorded answers, with the fields of the samples. */
export function answersAbout(bridge: SampleHall): Answers {
  const member = (name: string): Sample => {
    const found = bridge.members.get(name);
    if (!found) throw new Refusal({ ...refused("member_detail", { member: "nobody" }), message: `No member named "${name}".`, member: name });
    return found;
  };
  const removed = new Map<string, Sample>();
  const tools = (name: string) => {
    const { view, tools: all, problems = [], found = null } = member(name);
    return { member: name, freshness: view.freshness, listedAtMs: view.listedAtMs, tools: all.map(({ summary }) => summary), problems, found };
  };
  return {
    roster: () => bridge.roster(),
    member_tools: ({ member: name }) => tools(name),
    refresh_member: ({ member: name }) => tools(name),
    refresh_tool_caches: () => ({ updated: [...bridge.members.keys()], failed: [] }),
    member_offers: async ({ member: name }) => {
      await bridge.start(name);
      return { member: name, ...NO_OFFERS, ...member(name).offers };
    },
    search_tools: ({ query, limit }) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const text = ({ summary, description }: SampleTool) => `${summary.member} ${summary.name} ${summary.title ?? ""} ${description}`.toLowerCase();
      const found = [...bridge.members.values()].flatMap(({ tools: all }) => all.filter((tool) => words.every((word) => text(tool).includes(word))));
      return { tools: found.slice(0, limit).map(({ summary }) => summary), total: found.length };
    },
    member_detail: ({ member: name }) => {
      const { view, command = `guildhall member ${name}`, stderr = [`${name}: listening`], offers } = member(name);
      const detail = recorded("member_detail", { member: "filesystem" });
      return {
        ...detail,
        view,
        folder: detail.folder.replace("filesystem", name),
        cacheFile: detail.cacheFile.replace("filesystem", name),
        command,
        manifest: manifestOf(member(name)),
        url: view.port === null ? null : `http://127.0.0.1:${view.port}/mcp`,
        server: view.status === "ready" && detail.server ? { ...detail.server, name: `${name}-server`, capabilities: { tools: {}, logging: {}, ...(offers && { resources: {}, prompts: {}, ...(offers.skills !== undefined && offers.skills.length > 0 && { extensions: { "io.modelcontextprotocol/skills": {} } }) }) } } : null,
        stderr: stderr.map((text, seq) => ({ seq, start: 1, atMs: Date.now() - LISTED_AGO_MS, text })),
      };
    },
    member_file: ({ member: name }) => memberFile(name, manifestOf(member(name)), "1"),
    check_member_file: ({ text }) => ({ problems: isJson(text) ? [] : [NOT_JSON] }),
    edit_manifest_text: ({ text, field, value }) => {
      const fields = JSON.parse(text) as Record<string, unknown>;
      const { [field]: _, ...others } = fields;
      return { text: JSON.stringify(value === null ? others : { ...fields, [field]: JSON.parse(value) as unknown }, null, 2) };
    },
    save_member_file: ({ member: name, text, revision }) => memberFile(name, text, `${revision}+`),
    set_member_enabled: ({ member: name, enabled }) => bridge.change(name, { status: enabled ? "ready" : "disabled" }),
    remove_member: ({ member: name }) => {
      removed.set(name, member(name));
      bridge.remove(name);
      return { removal: name, member: name, removedAtMs: Date.now() };
    },
    restore_member: ({ removal }) => {
      const sample = removed.get(removal);
      if (!sample) throw new Refusal({ code: "removal-unknown", message: "The trash has no such member.", hint: "", member: null });
      bridge.add(sample);
      return sample.view;
    },
    rename_member: ({ member: name, name: now }) => {
      const sample = member(name);
      bridge.add({ ...sample, view: { ...sample.view, name: now } });
      bridge.remove(name);
      return { ...sample.view, name: now };
    },
    duplicate_member: ({ member: name, name: now }) => {
      const sample = member(name);
      bridge.add({ ...sample, view: { ...sample.view, name: now } });
      return { ...sample.view, name: now };
    },
    tool_detail: ({ member: name, tool }) => {
      const { view, tools: all, found = null } = member(name);
      const it = all.find(({ summary }) => summary.name === tool);
      if (!it) throw new Refusal({ ...refused("tool_detail", { member: "filesystem", tool: "no_such_tool" }), message: `The member has no tool "${tool}".`, member: name });
      const { summary, description, inputSchema, outputSchema } = it;
      const said = { name: tool, description, inputSchema };
      const detail = recorded("tool_detail", { member: "filesystem", tool: "read_file" });
      return { ...detail, summary, description, found, freshness: view.freshness, provenance: view.freshness === "live" ? "live" : "cached", inputSchema: JSON.stringify(inputSchema), outputSchema: outputSchema && JSON.stringify(outputSchema), raw: JSON.stringify(said), ...(it.app !== undefined && { app: it.app }) };
    },
  };
}
