/** The mock bridge with what is not recorded yet. */
import type { CompleteArgument, LogLine, MemberDetail, ToolDetail } from "./bindings";
import { FakeDiscovery } from "./fake/discovery";
import { FakeDev } from "./fake/dev";
import { FakeDoctor } from "./fake/doctor";
import { FakeAdding } from "./fake/adding";
import { FakeFound } from "./fake/found";
import { FakeGateway } from "./fake/gateway";
import { FakeHistory } from "./fake/history";
import { FakeLogs } from "./fake/logs";
import { fakeMember, fakeTool, fakeView } from "./fake/members";
import { FakeRegistry } from "./fake/registry";
import { FakeSecrets } from "./fake/secrets";
import { FakeSignIn } from "./fake/signIn";
import { FakeSettings } from "./fake/settings";
import { FakeTrust } from "./fake/trust";
import { FakeUpdates } from "./fake/updates";
import type { Answers } from "./answers";
import { MockBridge, type MockOptions, type PlayedCall } from "./mock";
import { NO_OFFERS } from "../testing/samples";

export interface FakeOptions extends MockOptions {
  /** How long a start takes, in milliseconds. */
  startMs?: number;
  /** The file with others' licences; by default it was not packed. */
  licences?: string;
  /** The values that an argument may have; none by default. */
  onComplete?: (request: CompleteArgument) => Promise<string[]>;
}

export type FakeCall = PlayedCall;

export class FakeBridge extends MockBridge {
  /** What was called before; tests write into it and break it. */
  readonly history = new FakeHistory((event) => this.emit(event));
  /** What agents get; tests have them ask through it. */
  readonly gateway = new FakeGateway((event) => this.emit(event), () => [...this.members.values()]);
  /** What members write to stderr; tests give them a past. */
  readonly logs = new FakeLogs((member) => (this.#member(member).stderr ?? []));
  /** What came of changes of members' files; tests tell it. */
  readonly dev = new FakeDev((event) => this.emit(event));
  /** What an examination finds; tests change it. */
  readonly doctor = new FakeDoctor((event) => this.emit(event));
  /** What other programs have in their files; tests change it. */
  readonly found = new FakeFound((event) => this.emit(event), {
    has: (name) => this.members.has(name),
    add: (name) => this.add(fakeMember(fakeView(name), [])),
  });

  /** What a person brings in; tests say what is in it, and drop files. */
  readonly adding = new FakeAdding({
    has: (name) => this.members.has(name),
    add: (name) => this.add(fakeMember(fakeView(name), [])),
  });
  /** The settings of tool discovery, and the model it uses; tests change both. */
  readonly discovery = new FakeDiscovery({
    predicted: (name, names, found) => {
      const tools = names.map((tool) => fakeTool(name, { name: tool, description: "" }));
      this.members.set(name, { ...this.#member(name), tools, found });
      this.change(name, { tools: names.length, freshness: "cached" });
      this.emit({ kind: "tools_updated", member: name, count: names.length, diff: { added: [...names], removed: [], changed: [] } });
      return { member: name, freshness: "cached", listedAtMs: null, tools: tools.map(({ summary }) => summary), problems: [], found };
    },
  });

  /** The registry; tests change it. */
  readonly registry = new FakeRegistry({
    has: (name) => this.members.has(name),
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


  constructor(options: FakeOptions = {}) {
    const { startMs = 0, onComplete, licences } = options;
    super(startMs > 0 ? { onStart: () => new Promise((resolve) => setTimeout(resolve, startMs)), ...options } : options);
    this.gateway.configs.book = this.found.book;
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

  /** Writes lines to a member's stderr, and before them so many of which the window hears only the number. */
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
