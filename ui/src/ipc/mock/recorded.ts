/**
 * A bridge for tests and screenshots that answers from a table. If a test provides no answer for a command, the
 * bridge returns an answer recorded from the real engine. Tests push the events themselves.
 */
import { textEnd } from "../../testing/callEnds";
import { answerAsRecorded, recorded, refused } from "../../testing/recorded";
import { answersAbout, recordedMembers, type Sample } from "../../testing/samples";
import type { AnswerElicitation, Answered, CallEnd, CallId, CallOutcome, Commands, Elicitation, Envelope, HallEvent, InvokeTool, LogLine, MemberView, Report, RosterView } from "../bindings";
import type { Answers, Made, Request, Response } from "../answers";
import { Refusal, type Bridge, type Drop, type Openable, type Opening, type PickPath } from "../bridge";
import type { OpenedApp, Presence, Shown } from "../outside";

type Progress = (progress: number, total: number | null, message: string) => void;

/** Simulates a tool call: reports progress, and returns how the call ended. */
export type PlayedCall = (request: InvokeTool, progress: Progress, cancelled: AbortSignal) => Promise<CallEnd>;
/** Simulates a request for a resource or prompt. `null` selects the default answer. */
type PlayedRead = (method: "resources/read" | "prompts/get", params: object, progress: Progress, cancelled: AbortSignal) => Promise<CallEnd | null>;

/** An elicitation without the fields that the engine adds, such as its id and times. */
type Question = Pick<Elicitation, "member" | "message" | "mode"> & Partial<Elicitation>;

export interface RecordedOptions {
  /** Members that replace the recorded ones. */
  members?: Sample[];
  /** Answers that replace the recorded ones. */
  answers?: Answers;
  /** Simulates tool calls. By default, a call returns its arguments as text. */
  onCall?: PlayedCall;
  /** Simulates requests for resources and prompts. */
  onRead?: PlayedRead;
  /** A promise that each start of a member waits for. */
  onStart?: () => Promise<void>;
  /** Whether the bridge has the data for the first paint; true by default. */
  withOpening?: boolean;
  /** A failure of reading the members folder. */
  folderError?: Report;
  /** Commands that fail with a report. A failure of `roster` also ends the event stream. */
  refusing?: Partial<Record<keyof Commands, Report>>;
  /** Commands that are never answered. If `roster` is one of them, no events arrive either. */
  silent?: readonly (keyof Commands)[];
  /** The app of each tool that has one. */
  app?: OpenedApp;
  /** The path that the user selects in the file dialog. Without a path, no file dialog is available. */
  picks?: string;
}

const TEN_MINUTES = 600_000;

const echo: PlayedCall = ({ arguments: text }) => Promise.resolve(textEnd(text));

export class RecordedBridge implements Bridge {
  readonly opening: Opening | null;
  /** The received commands, in order. */
  readonly asked: { name: keyof Commands; request: unknown }[] = [];
  /** The answers that have priority over the recorded ones. Tests can change them. */
  readonly answers: Answers;
  /** The members by name. The answers about members are computed from them. */
  readonly members = new Map<string, Sample>();
  /** The `listens` arguments of all calls of `ready`. */
  readonly readied: boolean[] = [];
  /** The arguments of all calls of `pickPath` and of `open`, in order. */
  readonly picked: PickPath[] = [];
  readonly opened: Openable[] = [];
  /** The failure of `open`; `null` if it succeeds. */
  notOpened: Report | null = null;
  /** The zoom factor that was set last. */
  zoomed = 1;
  /** The state of the system integrations, and a function that requests a page as a link does. */
  readonly outside = {
    presence: { tray: { kind: "on" }, shortcut: { kind: "off" }, login: { kind: "off" }, notifications: { kind: "waiting" } } as Presence,
    show: (shown: Shown) => {
      for (const handler of this.#shown) handler(shown);
    },
  };
  /** Returns `RecordedOptions.picks`. Absent if the option is not set. */
  declare readonly pickPath?: (wanted: PickPath) => Promise<string | null>;
  readonly #options: RecordedOptions;
  readonly #calls = new Map<CallId, AbortController>();
  readonly #questions = new Map<string, { elicitation: Elicitation; answered: (answer: AnswerElicitation) => void }>();
  readonly #listeners = new Set<(envelope: Envelope) => void>();
  readonly #shown = new Set<(shown: Shown) => void>();
  readonly #dropped = new Set<(drop: Drop) => void>();
  #ending: (() => Promise<void>) | null = null;
  #revision = 1;

  constructor(options: RecordedOptions = {}) {
    this.#options = options;
    for (const member of options.members ?? recordedMembers()) this.members.set(member.view.name, member);
    this.answers = { ...answersAbout(this), ...this.#answersOfEvents(), ...options.answers };
    const { picks } = options;
    if (picks !== undefined) {
      this.pickPath = (wanted) => {
        this.picked.push(wanted);
        return Promise.resolve(picks);
      };
    }
    const opening = { roster: this.roster(), info: answerAsRecorded("app_info", {}), settings: answerAsRecorded("settings", {}) };
    this.opening = options.withOpening === false ? null : opening;
  }

  roster(): RosterView {
    const members = [...this.members.values()].map(({ view }) => view);
    return { ...answerAsRecorded("roster", {}), revision: this.#revision, members, error: this.#options.folderError ?? null };
  }

  async call<K extends keyof Commands>(name: K, request: Request<K>): Promise<Response<K>> {
    this.asked.push({ name, request });
    // Real commands never answer synchronously.
    await Promise.resolve();
    if (this.#options.silent?.includes(name)) return new Promise(() => undefined);
    const report = this.#options.refusing?.[name];
    if (report) throw new Refusal(report);
    const answer: unknown = this.answers[name];
    if (answer === undefined) return answerAsRecorded(name, request);
    return typeof answer === "function" ? (answer as Made<K>)(request) : (answer as Response<K>);
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
      if (this.#listeners.has(handler)) handler({ revision: this.#revision, event: { kind: "roster", roster: this.roster() } });
    });
    return () => this.#listeners.delete(handler);
  }

  /** Sends an event to all subscribers. */
  emit(event: HallEvent): void {
    this.#revision += 1;
    for (const listener of this.#listeners) listener({ revision: this.#revision, event });
  }

  /** Changes a member, and sends the event. */
  change(name: string, changes: Partial<MemberView>): MemberView {
    const member = this.members.get(name);
    if (!member) throw new Refusal(refused("member_detail", { member: "nobody" }));
    const view = { ...member.view, ...changes };
    this.members.set(name, { ...member, view });
    this.emit({ kind: "member_changed", member: view });
    return view;
  }

  add(member: Sample): void {
    this.members.set(member.view.name, member);
    this.emit({ kind: "member_added", member: member.view });
  }

  remove(name: string): void {
    this.members.delete(name);
    this.emit({ kind: "member_removed", member: name });
  }

  /** Replaces a member's tool list, as after the server's `list_changed` notification. */
  relist(name: string, tools: Sample["tools"]): void {
    const { view } = this.members.get(name) ?? {};
    if (view) this.members.set(name, { ...this.members.get(name), view, tools });
    this.change(name, { tools: tools.length, freshness: "live" });
    this.emit({ kind: "tools_updated", member: name, count: tools.length, diff: { added: [], removed: [], changed: [] } });
  }

  /** Sends an event with stderr lines of a member. The first line has the number `from`. */
  write(name: string, texts: readonly string[], skipped = 0, from = 1_000): LogLine[] {
    const lines = texts.map((text, index) => ({ seq: from + index, start: 1, atMs: Date.now(), text }));
    this.emit({ kind: "stderr", member: name, lines, skipped });
    return lines;
  }

  /** Simulates an elicitation by a member's server. Resolves with the user's answer. */
  elicit(question: Question): Promise<AnswerElicitation> {
    const id = `elicitation-${this.#questions.size + 1}`;
    const now = Date.now();
    const elicitation = { id, call: null, tool: null, askedAtMs: now, expiresAtMs: now + TEN_MINUTES, ...question };
    return new Promise((answered) => {
      this.#questions.set(id, { elicitation, answered });
      this.emit({ kind: "elicitation_asked", elicitation });
    });
  }

  /** The answers of commands that also send events. */
  #answersOfEvents(): Answers {
    return {
      start_member: ({ member }) => this.start(member),
      restart_member: ({ member }) => {
        this.change(member, { status: "stopped" });
        return this.start(member);
      },
      stop_member: ({ member }) => this.change(member, { status: "stopped", pid: null, port: null, sinceMs: Date.now() }),
      invoke_tool: (request) => this.#invoke(request),
      read_resource: (request) => this.#read("resources/read", request, { contents: [{ uri: request.uri, mimeType: "text/plain", text: `The content of ${request.uri}` }] }),
      get_prompt: (request) => {
        const text = [request.prompt, ...Object.entries(request.arguments).map(([key, value]) => `${key}: ${value}`)].join("\n");
        return this.#read("prompts/get", request, { messages: [{ role: "user", content: { type: "text", text } }] });
      },
      cancel_call: ({ call }) => {
        this.#calls.get(call)?.abort();
        return {};
      },
      elicitations: () => ({ elicitations: [...this.#questions.values()].map(({ elicitation }) => elicitation) }),
      check_elicitation: { errors: [], notes: [] },
      check_arguments: { errors: [], notes: [] },
      answer_elicitation: (answer) => {
        const question = this.#questions.get(answer.id);
        if (!question) throw new Refusal({ code: "elicitation-ended", message: "This question waits for no answer any more.", hint: "", member: null });
        this.#questions.delete(answer.id);
        this.emit({ kind: "elicitation_ended", id: answer.id });
        question.answered(answer);
        return {};
      },
    };
  }

  /** Runs a simulated call, which can be cancelled and sends progress events. */
  async played<T>(call: CallId, play: (progress: Progress, cancelled: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    this.#calls.set(call, abort);
    const progress: Progress = (done, total, message) => this.emit({ kind: "call_progress", call, progress: { progress: done, total, message } });
    return play(progress, abort.signal).finally(() => this.#calls.delete(call));
  }

  async #invoke(request: InvokeTool): Promise<CallOutcome> {
    const { call, member, tool } = request;
    const startedAtMs = Date.now();
    this.emit({ kind: "call_started", call, member, tool });
    await this.start(member);
    const end = await this.played(call, (progress, cancelled) => (this.#options.onCall ?? echo)(request, progress, cancelled));
    const durationMs = Date.now() - startedAtMs;
    const failed = end.kind === "failed";
    this.emit({ kind: "call_finished", call, member, tool, durationMs, isError: !failed && end.isError, error: failed ? end.report : null });
    const { request: sent } = recorded("invoke_tool", { member: "filesystem", tool: "read_file" });
    return { call, member, tool, startedAtMs, durationMs, request: sent, structured: null, end };
  }

  async #read(method: "resources/read" | "prompts/get", { call, member, ...params }: { call: CallId; member: string }, otherwise: object): Promise<Answered> {
    const startedAtMs = Date.now();
    await this.start(member);
    const end = await this.played(call, async (progress, cancelled) => this.#options.onRead?.(method, params, progress, cancelled) ?? null);
    return { ...recorded("read_resource"), call, member, startedAtMs, durationMs: Date.now() - startedAtMs, end: end ?? { kind: "result", result: JSON.stringify(otherwise), isError: false } };
  }

  /** Starts a member, and sends the events. */
  async start(name: string): Promise<MemberView> {
    const member = this.members.get(name);
    if (!member) throw new Refusal(refused("member_detail", { member: "nobody" }));
    if (member.view.status === "ready") return member.view;
    this.change(name, { status: "starting", error: null, retryAtMs: null, sinceMs: Date.now() });
    await this.#options.onStart?.();
    return this.change(name, { status: "ready", freshness: "live", sinceMs: Date.now() });
  }

  readonly open = (what: Openable) => {
    this.opened.push(what);
    return this.notOpened === null ? Promise.resolve() : Promise.reject(new Refusal(this.notOpened));
  };

  ready(listens: boolean): void {
    this.readied.push(listens);
  }

  ending(keep: () => Promise<void>): () => void {
    this.#ending = keep;
    return () => (this.#ending = null);
  }

  /** Simulates the program's exit. Resolves once the page has saved its data. */
  async end(): Promise<void> {
    await this.#ending?.();
  }

  zoom(factor: number): void {
    this.zoomed = factor;
  }

  readonly openApp = (of: { member: string; tool: string }) =>
    this.#options.app ? Promise.resolve(this.#options.app) : Promise.reject(new Refusal({ code: "app-unusable", message: "The app can't be shown: its resource is empty.", hint: "Use the form and the result, which need no app.", member: of.member }));
  readonly presence = () => Promise.resolve(this.outside.presence);

  readonly shows = (handler: (shown: Shown) => void) => {
    this.#shown.add(handler);
    return () => this.#shown.delete(handler);
  };

  /** Simulates a file that is dragged over the window or dropped. */
  drop(drop: Drop): void {
    for (const handler of this.#dropped) handler(drop);
  }

  readonly drops = (handler: (drop: Drop) => void): (() => void) => {
    this.#dropped.add(handler);
    return () => this.#dropped.delete(handler);
  };
}
