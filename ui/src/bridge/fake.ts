/**
 * A hall without a program behind it, for tests and for a browser: same commands, same events,
 * scripted members. It keeps the contract's promises that the window relies on: revisions grow by
 * one, an event carries the whole member, and each call ends with exactly one outcome.
 */
import type {
  AnswerElicitation,
  Answered,
  CallEnd,
  CallId,
  CallOutcome,
  Commands,
  CompleteArgument,
  Envelope,
  HallEvent,
  InvokeTool,
  MemberName,
  MemberView,
  Report,
  Roster,
} from "./bindings";
import { RECORDED, type Answers } from "../testing/answers";
import { Refusal, type Bridge, type Openable, type Opening, type PickPath } from "./bridge";
import { FakeBundles } from "./fake/bundles";
import { FakeDiscovery } from "./fake/discovery";
import { FakeDev } from "./fake/dev";
import { FakeDoctor } from "./fake/doctor";
import { FakeElicitations, type Question } from "./fake/elicitations";
import { FakeAdding } from "./fake/adding";
import { FakeFound } from "./fake/found";
import { FakeGateway } from "./fake/gateway";
import { FakeHistory } from "./fake/history";
import { FakeLogs } from "./fake/logs";
import { FakeOutside } from "./fake/outside";
import { fakeMember, fakeTool, fakeView, sampleMembers, type FakeMember } from "./fake/members";
import { findPrompt, findResource, NO_OFFERS } from "./fake/offers";
import { FakeRegistry } from "./fake/registry";
import { FakeSecrets } from "./fake/secrets";
import { FakeSignIn } from "./fake/signIn";
import { FakeSettings } from "./fake/settings";
import { FakeTrust } from "./fake/trust";
import { FakeUpdates } from "./fake/updates";

/** How one call of a tool goes. */
export type FakeCall = (
  request: InvokeTool,
  progress: (progress: number, total: number | null, message: string) => void,
  cancelled: AbortSignal,
) => Promise<CallEnd>;

/** How one reading of a resource or a prompt goes; `null` for what the member's offers say. */
type FakeRead = (
  method: "resources/read" | "prompts/get",
  params: Record<string, unknown>,
  progress: (progress: number, total: number | null, message: string) => void,
  cancelled: AbortSignal,
) => Promise<CallEnd | null>;

export interface FakeOptions {
  members?: FakeMember[];
  /** Answers calls; by default the arguments come back as text. */
  onCall?: FakeCall;
  onRead?: FakeRead;
  /** The values that an argument may have; none by default. */
  onComplete?: (request: CompleteArgument) => Promise<string[]>;
  /** How long a start takes, in milliseconds. */
  startMs?: number;
  /** What a start waits for besides. */
  onStart?: () => Promise<void>;
  /** The file with others' licences; by default it was not packed. */
  licences?: string;
  /** Whether the first roster comes with the page. */
  withOpening?: boolean;
  /** What is wrong with the members' folder. */
  folderError?: Report;
  /** Commands that are refused, each with what is said. A refused `roster` ends the events too. */
  refusing?: Partial<Record<keyof Commands, Report>>;
  /** Commands that are never answered. Without the answer to `roster` no event comes either. */
  silent?: readonly (keyof Commands)[];
  /** Answers that come before the recorded ones. */
  answers?: Answers;
  /** The path that a person chooses in the system's dialog; without it there is no such dialog. */
  picks?: string;
}

const MEMBERS_DIR = "/home/me/.local/share/guild-hall/guild-members";

const echo: FakeCall = (request) =>
  Promise.resolve({
    kind: "result",
    result: JSON.stringify({ content: [{ type: "text", text: request.arguments }] }),
    isError: false,
  });

type Handlers = {
  [K in keyof Commands]: (request: Commands[K]["request"]) => Promise<Commands[K]["response"]>;
};

export class FakeBridge implements Bridge {
  readonly opening: Opening | null;
  /** Each command that was asked for, in order. */
  readonly asked: { name: keyof Commands; request: unknown }[] = [];
  /** What the window said each time that it was ready: whether it listens. */
  readonly readied: boolean[] = [];
  /** Answers by command, before all others; a test may change them. */
  readonly answers: Answers;
  /** How large the page is drawn. */
  zoomed = 1;
  /** What the window last said is in view. */
  inView: readonly MemberName[] = [];
  #ending: (() => Promise<void>) | null = null;
  /** Asks for a path, where the options have one. */
  declare readonly pickPath?: (wanted: PickPath) => Promise<string | null>;
  /** The questions for a path that the window asked, in order. */
  readonly picked: PickPath[] = [];
  /** The things that the window asked to open, in order. */
  readonly opened: Openable[] = [];
  /** Why nothing is opened. */
  notOpened: Report | null = null;
  readonly open = (what: Openable) => {
    this.opened.push(what);
    return this.notOpened === null ? Promise.resolve() : Promise.reject(new Refusal(this.notOpened));
  };

  /** What was called before; tests write into it and break it. */
  readonly history = new FakeHistory((event) => this.emit(event));
  /** What agents get; tests have them ask through it. */
  readonly gateway = new FakeGateway((event) => this.emit(event), () => [...this.#members.values()]);
  /** What members write to stderr; tests give them a past. */
  readonly logs = new FakeLogs((member) => this.#member(member).stderr);
  /** What came of changes of members' files; tests tell it. */
  readonly dev = new FakeDev((event) => this.emit(event));
  /** What an examination finds; tests change it. */
  readonly doctor = new FakeDoctor((event) => this.emit(event));
  /** What other programs have in their files; tests change it. */
  readonly found = new FakeFound((event) => this.emit(event), {
    has: (name) => this.#members.has(name),
    add: (name) => this.add(fakeMember(fakeView(name), [])),
  });

  /** What a person brings in; tests say what is in it, and drop files. */
  readonly adding = new FakeAdding({
    has: (name) => this.#members.has(name),
    add: (name) => this.add(fakeMember(fakeView(name), [])),
  });
  readonly drops = this.adding.listen;
  /** What there is outside the page; tests have it show places. */
  readonly outside = new FakeOutside();
  readonly shows = this.outside.listen;
  readonly presence = () => Promise.resolve(this.outside.presence);
  /** How tools are found out, and a model that is asked for them; tests change both. */
  readonly discovery = new FakeDiscovery({
    predicted: (name, names, found) => {
      const member = this.#member(name);
      member.tools = names.map((tool) => fakeTool(name, { name: tool, description: "" }));
      member.found = found;
      this.change(name, { tools: names.length, freshness: "cached" });
      this.emit({ kind: "tools_updated", member: name, count: names.length, diff: { added: [...names], removed: [], changed: [] } });
      return this.#tools(name);
    },
  });

  /** The registry; tests change it. */
  readonly registry = new FakeRegistry({
    has: (name) => this.#members.has(name),
    add: (name) => this.add(fakeMember(fakeView(name, { status: "unreviewed" }), [])),
  });

  /** What is set; tests edit it, and break it. */
  readonly settings = new FakeSettings((event) => this.emit(event));
  /** Who is signed in where; tests say what comes of it. */
  readonly signIn = new FakeSignIn((event) => this.emit(event));
  /** Newer versions; tests publish them. */
  readonly updates = new FakeUpdates((event) => this.emit(event));
  /** The names of secrets; tests change them. */
  readonly secrets = new FakeSecrets();
  /** What was accepted of members; tests change it. */
  readonly trust = new FakeTrust({
    view: (name) => this.#member(name).view,
    change: (name, changes) => this.change(name, changes),
  });

  readonly #members = new Map<string, FakeMember>();
  readonly #listeners = new Set<(envelope: Envelope) => void>();
  readonly #calls = new Map<CallId, AbortController>();
  /** What is in the bundles that are looked into; tests change it. */
  readonly bundles = new FakeBundles(
    (event) => this.emit(event),
    {
      has: (name) => this.#members.has(name),
      add: (name) => this.add(fakeMember(fakeView(name, { status: "unreviewed" }), [])),
    },
    this.#calls,
  );
  readonly #elicitations = new FakeElicitations((event) => this.emit(event));
  readonly #options: Required<Pick<FakeOptions, "onCall" | "startMs">> & FakeOptions;
  #revision = 1;

  constructor(options: FakeOptions = {}) {
    this.gateway.configs.book = this.found.book;
    this.answers = { ...options.answers };
    this.#options = { ...options, onCall: options.onCall ?? echo, startMs: options.startMs ?? 0 };
    const { picks } = options;
    if (picks !== undefined) {
      this.pickPath = (wanted) => {
        this.picked.push(wanted);
        return Promise.resolve(picks);
      };
    }
    for (const member of options.members ?? sampleMembers()) {
      this.#members.set(member.view.name, member);
    }
    this.opening =
      options.withOpening === false ? null : { roster: this.roster(), info: this.#info(), settings: this.settings.state() };
  }

  roster(): Roster {
    const members = [...this.#members.values()].map((member) => member.view);
    return { revision: this.#revision, membersDir: MEMBERS_DIR, members, error: this.#options.folderError ?? null };
  }

  async call<K extends keyof Commands>(
    name: K,
    request: Commands[K]["request"],
  ): Promise<Commands[K]["response"]> {
    this.asked.push({ name, request });
    // A command's answer never comes in the same turn as its question.
    await Promise.resolve();
    if (this.#options.silent?.includes(name)) return new Promise(() => undefined);
    const report = this.#options.refusing?.[name];
    if (report) throw new Refusal(report);
    const answer: Answers[K] = this.answers[name];
    return answer ? answer(request) : this.#handlers[name](request);
  }

  events(handler: (envelope: Envelope) => void, failed?: (refusal: Refusal) => void): () => void {
    const { refusing, silent } = this.#options;
    if (silent?.includes("roster")) return () => undefined;
    this.#listeners.add(handler);
    queueMicrotask(() => {
      if (refusing?.roster) {
        this.#listeners.delete(handler);
        failed?.(new Refusal(refusing.roster));
      }
      if (this.#listeners.has(handler)) {
        handler({ revision: this.#revision, event: { kind: "roster", roster: this.roster() } });
      }
    });
    return () => this.#listeners.delete(handler);
  }

  ready(listens: boolean): void {
    this.readied.push(listens);
  }

  ending(keep: () => Promise<void>): () => void {
    this.#ending = keep;
    return () => (this.#ending = null);
  }

  /** As the shell does when the program ends; answers once the page has kept what it has to. */
  async end(): Promise<void> {
    await this.#ending?.();
  }

  zoom(factor: number): void {
    this.zoomed = factor;
  }

  /** Sends an event to all listeners. */
  emit(event: HallEvent): void {
    this.#revision += 1;
    for (const listener of this.#listeners) listener({ revision: this.#revision, event });
  }

  /** Gives a member other resources and prompts, and tells of it. */
  changeOffers(name: string, offers: Partial<typeof NO_OFFERS>): void {
    this.#member(name).offers = { ...NO_OFFERS, ...offers };
    this.emit({ kind: "offers_changed", member: name, resources: true, prompts: true });
  }

  /** Changes a member and tells of it. */
  change(name: string, changes: Partial<MemberView>): MemberView {
    const member = this.#member(name);
    member.view = { ...member.view, ...changes };
    this.emit({ kind: "member_changed", member: member.view });
    return member.view;
  }

  add(member: FakeMember): void {
    this.#members.set(member.view.name, member);
    this.emit({ kind: "member_added", member: member.view });
  }

  remove(name: string): void {
    this.#members.delete(name);
    this.emit({ kind: "member_removed", member: name });
  }

  /** Gives a member another tool list, as its server would by `list_changed`. */
  relist(name: string, tools: FakeMember["tools"]): void {
    const member = this.#member(name);
    member.tools = tools;
    this.change(name, { tools: tools.length, freshness: "live" });
    this.emit({
      kind: "tools_updated",
      member: name,
      count: tools.length,
      diff: { added: [], removed: [], changed: [] },
    });
  }

  /** Asks a person something on behalf of a member's server. */
  elicit(question: Question): Promise<AnswerElicitation> {
    return this.#elicitations.ask(question);
  }

  /** Writes lines to a member's stderr, and before them so many of which the window hears only the number. */
  write(name: string, texts: readonly string[], skipped = 0): void {
    this.logs.write(name, Array.from({ length: skipped }, (_, index) => `tick ${index}`));
    this.emit({ kind: "stderr", member: name, lines: this.logs.write(name, texts), skipped });
  }

  #info() {
    return { version: "0.1.0", membersDir: MEMBERS_DIR, dataDir: "/home/me/.local/share/guild-hall", licences: this.#options.licences ?? null };
  }

  #member(name: string): FakeMember {
    const member = this.#members.get(name);
    if (!member) throw refusal("member-unknown", `There is no member called ${name}.`, name);
    return member;
  }

  #tool(name: string, tool: string) {
    const found = this.#member(name).tools.find((each) => each.summary.name === tool);
    if (!found) throw refusal("tool-unknown", `${name} has no tool called ${tool}.`, name);
    return found;
  }

  #tools(name: string) {
    const { view, tools, problems, found = null } = this.#member(name);
    return {
      member: name,
      freshness: view.freshness,
      listedAtMs: view.listedAtMs,
      tools: tools.map((tool) => tool.summary),
      problems: problems ?? [],
      found,
    };
  }

  readonly #handlers: Handlers = {
    ...this.history.handlers,
    ...this.gateway.handlers,
    ...this.gateway.policies.handlers,
    ...this.discovery.handlers,
    ...this.settings.handlers,
    ...this.dev.handlers,
    ...this.doctor.handlers,
    ...this.found.handlers,
    ...this.adding.handlers,
    ...this.bundles.handlers,
    ...this.registry.handlers,
    ...this.secrets.handlers,
    ...this.signIn.handlers,
    ...this.updates.handlers,
    ...this.trust.handlers,
    ...this.logs.handlers,
    view_as_agent: (request) => Promise.resolve(RECORDED.view_as_agent(request)),
    find_for_task: (request) => Promise.resolve(RECORDED.find_for_task(request)),
    app_info: () => Promise.resolve(this.#info()),
    roster: () => Promise.resolve(this.roster()),
    member_tools: ({ member }) => Promise.resolve(this.#tools(member)),
    search_tools: ({ query, limit }) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const matches = [...this.#members.values()]
        .flatMap((member) => member.tools)
        .filter(({ summary, description }) => {
          const text = `${summary.member} ${summary.name} ${summary.title ?? ""} ${description}`;
          return words.every((word) => text.toLowerCase().includes(word));
        })
        .map((tool) => tool.summary);
      return Promise.resolve({ tools: matches.slice(0, limit), total: matches.length });
    },
    tool_detail: ({ member, tool }) => {
      const { summary, description, inputSchema, outputSchema } = this.#tool(member, tool);
      const { view, found = null } = this.#member(member);
      return Promise.resolve({
        summary,
        description,
        provenance: view.freshness === "live" ? "live" : "cached",
        found,
        freshness: view.freshness,
        inputSchema: JSON.stringify(inputSchema),
        outputSchema: outputSchema && JSON.stringify(outputSchema),
        schemaNotes: [],
        raw: JSON.stringify({ name: tool, description, inputSchema }),
        callTimeoutMs: 30_000,
        suspicions: this.trust.suspicions.get(`${member}/${tool}`) ?? [],
      });
    },
    member_detail: ({ member }) => {
      const { view, command, offers } = this.#member(member);
      const folder = `${MEMBERS_DIR}/${member}`;
      return Promise.resolve({
        view,
        folder,
        manifest: JSON.stringify({ name: member, version: view.version, transport: view.transport, command: command.split(" ")[0], args: command.split(" ").slice(1) }, null, 2),
        command,
        url: view.port === null ? null : `http://127.0.0.1:${view.port}/mcp`,
        envNames: ["LOG_LEVEL"],
        server:
          view.status === "ready"
            ? { name: `${member}-server`, version: "3.2.1", instructions: null, protocolVersion: view.protocolVersion ?? "2025-11-25", era: "legacy", capabilities: { tools: { listChanged: true }, logging: {}, ...(offers && { resources: {}, prompts: {} }) } }
            : null,
        cacheFile: `${folder}/tools-cache.json`,
        stderr: this.logs.of(member).slice(-1_000),
      });
    },
    check_arguments: () => Promise.resolve({ errors: [], notes: [] }),
    invoke_tool: (request) => this.#invoke(request),
    cancel_call: ({ call }) => {
      this.#calls.get(call)?.abort();
      this.doctor.cancel(call);
      this.registry.cancel(call);
      this.discovery.cancel(call);
      return Promise.resolve({});
    },
    look_at: ({ members }) => {
      this.inView = members;
      return Promise.resolve({});
    },
    start_member: ({ member }) => this.#start(member),
    stop_member: ({ member }) => Promise.resolve(this.#stop(member)),
    restart_member: ({ member }) => {
      this.#stop(member);
      return this.#start(member);
    },
    refresh_member: async ({ member }) => {
      await this.#start(member);
      return this.#tools(member);
    },
    refresh_tool_caches: () => {
      const names = [...this.#members.keys()];
      for (const name of names) {
        const { view, tools } = this.#member(name);
        if (view.status === "ready") this.relist(name, tools);
      }
      return Promise.resolve({ updated: names, failed: [] });
    },
    elicitations: () => Promise.resolve({ elicitations: this.#elicitations.all }),
    check_elicitation: ({ id }) => {
      if (!this.#elicitations.has(id)) throw elicitationEnded();
      return Promise.resolve({ errors: [], notes: [] });
    },
    answer_elicitation: (answer) => {
      if (!this.#elicitations.answer(answer)) throw elicitationEnded();
      return Promise.resolve({});
    },
    member_offers: async ({ member }) => {
      await this.#start(member);
      return { member, ...NO_OFFERS, ...this.#member(member).offers };
    },
    read_resource: ({ call, member, uri }) =>
      this.#answer(call, member, "resources/read", { uri }, () =>
        findResource(this.#member(member).offers, uri),
      ),
    get_prompt: ({ call, member, prompt, arguments: args }) =>
      this.#answer(call, member, "prompts/get", { name: prompt, arguments: args }, () =>
        findPrompt(this.#member(member).offers, prompt, args),
      ),
    complete_argument: async (request) => ({ values: (await this.#options.onComplete?.(request)) ?? [], hasMore: false }),
    copy_as: ({ member, tool, arguments: args, form }) =>
      Promise.resolve({ text: `${form} ${member} ${tool} ${args}`, note: null }),
  };

  async #answer(
    call: CallId,
    member: string,
    method: "resources/read" | "prompts/get",
    params: Record<string, unknown>,
    find: () => Record<string, unknown> | string,
  ): Promise<Answered> {
    const startedAtMs = Date.now();
    const abort = new AbortController();
    this.#calls.set(call, abort);
    await this.#start(member);
    const told = await this.#options.onRead?.(
      method,
      params,
      (progress, total, message) =>
        this.emit({ kind: "call_progress", call, progress: { progress, total, message } }),
      abort.signal,
    );
    const end = told ?? asEnd(find(), member);
    this.#calls.delete(call);
    const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return { call, member, startedAtMs, durationMs: Date.now() - startedAtMs, request, end };
  }

  #stop(name: string): MemberView {
    return this.change(name, { status: "stopped", pid: null, port: null, sinceMs: Date.now() });
  }

  async #start(name: string): Promise<MemberView> {
    const { view } = this.#member(name);
    if (view.status === "ready") return view;
    this.change(name, { status: "starting", error: null, retryAtMs: null, sinceMs: Date.now() });
    if (this.#options.startMs > 0) await after(this.#options.startMs);
    if (this.#options.onStart) await this.#options.onStart();
    return this.change(name, {
      status: "ready",
      freshness: "live",
      pid: 50_000 + name.length,
      sinceMs: Date.now(),
      protocolVersion: "2025-11-25",
    });
  }

  async #invoke(request: InvokeTool): Promise<CallOutcome> {
    const { call, member, tool } = request;
    this.#tool(member, tool);
    const startedAtMs = Date.now();
    const abort = new AbortController();
    this.#calls.set(call, abort);
    this.emit({ kind: "call_started", call, member, tool });
    await this.#start(member);
    const end = await this.#options.onCall(
      request,
      (progress, total, message) =>
        this.emit({ kind: "call_progress", call, progress: { progress, total, message } }),
      abort.signal,
    );
    this.#calls.delete(call);
    const durationMs = Date.now() - startedAtMs;
    this.emit({
      kind: "call_finished",
      call,
      member,
      tool,
      durationMs,
      isError: end.kind === "result" && end.isError,
      error: end.kind === "failed" ? end.report : null,
    });
    const sent = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: plain(request.arguments) } };
    const outcome: CallOutcome = {
      call,
      member,
      tool,
      startedAtMs,
      durationMs,
      request: JSON.stringify(sent),
      structured: null,
      end,
    };
    this.history.record(outcome, request.arguments);
    return outcome;
  }
}

/** The value of JSON text, or the text itself where it is none: the fake sends what it is given. */
function plain(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** How a reading ends that found something, or says why it did not. */
function asEnd(found: Record<string, unknown> | string, member: string): CallEnd {
  if (typeof found !== "string") return { kind: "result", result: JSON.stringify(found), isError: false };
  return {
    kind: "failed",
    report: { code: "rpc-error", message: found, hint: "", member },
    rpc: { code: -32602, message: found, data: null },
    arguments: [],
    stderr: [],
  };
}

function elicitationEnded(): Refusal {
  return new Refusal({
    code: "elicitation-ended",
    message: "This question waits for no answer any more.",
    hint: "",
    member: null,
  });
}

function refusal(code: Report["code"], message: string, member: string): Refusal {
  return new Refusal({ code, message, hint: "", member });
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
