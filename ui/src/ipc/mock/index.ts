/** The mock bridge: a `RecordedBridge` with mocks for the commands whose answers are not recorded. */
import type { CompleteArgument, CrashReport, LogLine, MemberDetail, ToolDetail } from "../bindings";
import { MockDiscovery } from "./discovery";
import { MockDev } from "./dev";
import { MockDoctor } from "./doctor";
import { MockAdding } from "./adding";
import { MockFound } from "./found";
import { MockGateway } from "./gateway";
import { MockHistory } from "./history";
import { MockLogs } from "./logs";
import { mockMember, mockTool, mockView } from "./members";
import { MockRegistry } from "./registry";
import { MockSecrets } from "./secrets";
import { MockSignIn } from "./signIn";
import { MockSettings } from "./settings";
import { MockTrust } from "./trust";
import { MockUpdates } from "./updates";
import type { Answers } from "../answers";
import { RecordedBridge, type RecordedOptions, type PlayedCall } from "./recorded";
import { NO_OFFERS } from "../../testing/samples";

export interface MockOptions extends RecordedOptions {
  /** The duration of a member's start, in milliseconds. */
  startMs?: number;
  /** The path of the file with third-party licenses; by default the app was built without it. */
  licences?: string;
  /** The crash reports, newest first; none by default. */
  crashes?: readonly CrashReport[];
  /** Returns the completions of a prompt or template argument; none by default. */
  onComplete?: (request: CompleteArgument) => Promise<string[]>;
}

export type MockCall = PlayedCall;

export class MockBridge extends RecordedBridge {
  /** The call history. Tests add calls and simulate failures. */
  readonly history = new MockHistory((event) => this.emit(event), {
    has: (name) => this.members.has(name),
    add: (name) => this.add(mockMember(mockView(name), [])),
  });
  /** The gateway. Tests simulate agents with it. */
  readonly gateway = new MockGateway((event) => this.emit(event), () => [...this.members.values()]);
  /** The log lines of members. */
  readonly logs = new MockLogs((member) => (this.#member(member).stderr ?? []));
  /** Development mode. Tests send rounds with it. */
  readonly dev = new MockDev((event) => this.emit(event));
  /** The system check. Tests set its findings. */
  readonly doctor = new MockDoctor((event) => this.emit(event));
  /** The servers in other programs' files. Tests set them. */
  readonly found = new MockFound((event) => this.emit(event), {
    has: (name) => this.members.has(name),
    add: (name) => this.add(mockMember(mockView(name), [])),
  });

  /** The input of the Add member dialog. Tests set its content. */
  readonly adding = new MockAdding({
    has: (name) => this.members.has(name),
    add: (name) => this.add(mockMember(mockView(name), [])),
  });
  /** The settings of tool discovery, and the model that it uses. Tests set both. */
  readonly discovery = new MockDiscovery({
    predicted: (name, names, found) => {
      const tools = names.map((tool) => mockTool(name, { name: tool, description: "" }));
      this.members.set(name, { ...this.#member(name), tools, found });
      this.change(name, { tools: names.length, freshness: "cached" });
      this.emit({ kind: "tools_updated", member: name, count: names.length, diff: { added: [...names], removed: [], changed: [] } });
      return { member: name, freshness: "cached", listedAtMs: null, tools: tools.map(({ summary }) => summary), problems: [], found };
    },
  });

  /** The registry. Tests set its servers. */
  readonly registry = new MockRegistry({
    has: (name) => this.members.has(name),
    add: (name) => this.add(mockMember(mockView(name, { status: "unreviewed" }), [])),
  });

  /** The settings. Tests change them and simulate failures. */
  readonly settings = new MockSettings((event) => this.emit(event));
  /** Signing in to servers. Tests set the outcome. */
  readonly signIn = new MockSignIn((event) => this.emit(event));
  /** Updates of the app. Tests publish versions with it. */
  readonly updates = new MockUpdates((event) => this.emit(event));
  /** The names of secrets. Tests set them. */
  readonly secrets = new MockSecrets();
  /** The reviews of members. Tests set them. */
  readonly trust = new MockTrust({
    view: (name) => this.#member(name).view,
    change: (name, changes) => this.change(name, changes),
  });

  constructor(options: MockOptions = {}) {
    const { startMs = 0, onComplete, licences, crashes = [] } = options;
    super(startMs > 0 ? { onStart: () => new Promise((resolve) => setTimeout(resolve, startMs)), ...options } : options);
    this.gateway.configs.book = this.found.book;
    this.logs.crashes = crashes;
    const { cancel_call: cancel, member_detail: detail, tool_detail: tool } = this.answers;
    if (licences !== undefined && this.opening) this.opening.info = { ...this.opening.info, licences };
    Object.assign(
      this.answers,
      this.history.handlers,
      this.gateway.handlers,
      this.gateway.policies.handlers,
      this.discovery.handlers,
      this.settings.handlers,
      this.dev.handlers,
      this.doctor.handlers,
      this.found.handlers,
      this.adding.handlers,
      this.registry.handlers,
      this.secrets.handlers,
      this.signIn.handlers,
      this.updates.handlers,
      this.trust.handlers,
      this.logs.handlers,
      {
        cancel_call: (request) => {
          this.doctor.cancel(request.call);
          this.history.cancel(request.call);
          this.registry.cancel(request.call);
          this.discovery.cancel(request.call);
          return typeof cancel === "function" ? cancel(request) : {};
        },
        member_detail: (request) => ({ ...(detail as (it: typeof request) => MemberDetail)(request), stderr: this.logs.of(request.member).slice(-1_000) }),
        tool_detail: (request) => ({ ...(tool as (it: typeof request) => ToolDetail)(request), suspicions: this.trust.suspicions.get(`${request.member}/${request.tool}`) ?? [] }),
        complete_argument: async (request) => ({ values: (await onComplete?.(request)) ?? [], hasMore: false }),
      } satisfies Answers,
      options.answers,
    );
  }

  /** Gives a member other resources and prompts, and sends the event. */
  changeOffers(name: string, offers: Partial<typeof NO_OFFERS>): void {
    this.members.set(name, { ...this.#member(name), offers });
    this.emit({ kind: "offers_changed", member: name, resources: true, prompts: true });
  }

  /** Writes lines to a member's log. Before them, writes `skipped` lines that the event only counts. */
  override write(name: string, texts: readonly string[], skipped = 0): LogLine[] {
    this.logs.write(name, Array.from({ length: skipped }, (_, index) => `tick ${index}`));
    const lines = this.logs.write(name, texts);
    this.emit({ kind: "stderr", member: name, lines, skipped });
    return lines;
  }

  #member(name: string) {
    const member = this.members.get(name);
    if (!member) throw new Error(`no member ${name}`);
    return member;
  }
}
