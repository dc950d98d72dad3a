/**
 * The window's copy of the engine's state, updated by events. It also loads the tool lists that are on the screen
 * and sends the user's commands. It never polls the engine for changes.
 */
import type {
  AppInfo,
  CallId,
  Commands,
  Envelope,
  HallEvent,
  HistoryEntry,
  LogLine,
  MemberName,
  MemberTools,
  Progress,
  Report,
  ToolDetail,
  ToolName,
} from "../../ipc/bindings";
import { asRefusal, type Bridge } from "../../ipc/bridge";
import { number } from "../format";
import { nothingYet, reduce, withElicitations, withRoster, type HallState } from "./state";
import { Store, nextFrame, type Schedule } from "../store";
import { storeContext } from "../storeContext";

/** A member's tool list, or the state of loading it. */
export interface ToolList {
  /** The member's generation in `HallState` for which `tools` was requested. */
  generation: number;
  tools: MemberTools | null;
  error: Report | null;
}

/** The keys of unanswered requests, such as `restart_member:forge`. */
type Pending = ReadonlySet<string>;

/** A failure that no page or dialog shows. The window shows it as a message. */
interface Notice {
  id: number;
  report: Report;
}

/** The maximum number of notices. The oldest are dropped. */
const NOTICES_MAX = 20;
/** The maximum number of events that wait for the next frame. When it is reached, they are applied at once. */
const BATCH_MAX = 2_000;

type MemberCommand = "start_member" | "stop_member" | "restart_member" | "refresh_member";
/** Receives the events of one frame. `missed` is true if earlier events may have been lost. */
type EventsListener = (events: readonly HallEvent[], missed: boolean) => void;

export class Hall {
  readonly state: Store<HallState>;
  readonly lists = new Store<ReadonlyMap<MemberName, ToolList>>(new Map());
  readonly pending = new Store<Pending>(new Set());
  readonly notices = new Store<readonly Notice[]>([]);
  readonly info: Store<AppInfo | null>;
  /** The failure that ended the event stream; `null` while events arrive. */
  readonly lost = new Store<Report | null>(null);

  readonly #bridge: Bridge;
  readonly #schedule: Schedule;
  #queue: Envelope[] = [];
  #scheduled = false;
  /** The elicitation events since the open elicitations were requested; `null` if no request is running. */
  #sinceAsked: HallEvent[] | null = null;
  #noticeId = 0;
  /** The number of components that show a member's tools. */
  readonly #watched = new Map<MemberName, number>();
  readonly #reading = new Set<MemberName>();
  readonly #eventListeners = new Set<EventsListener>();

  constructor(bridge: Bridge, schedule: Schedule = nextFrame) {
    this.#bridge = bridge;
    this.#schedule = schedule;
    const opening = bridge.opening;
    this.state = new Store(opening ? withRoster(nothingYet, opening.roster) : nothingYet);
    this.info = new Store(opening?.info ?? null);
  }

  /** Subscribes to the engine's events. Returns the function that unsubscribes. */
  open(): () => void {
    const close = this.#bridge.events(
      (envelope) => this.#take(envelope),
      (refusal) => this.lost.set(refusal.report),
    );
    if (!this.info.get()) {
      this.ask("app_info", {}).then(
        (info) => this.info.set(info),
        (reason: unknown) => {
          // `ConnectionLost` already reports a lost connection.
          if (!this.lost.get()) this.tell(asRefusal(reason).report);
        },
      );
    }
    return close;
  }

  ask<K extends keyof Commands>(
    name: K,
    request: Commands[K]["request"],
  ): Promise<Commands[K]["response"]> {
    return this.#bridge.call(name, request);
  }

  /** Saves a file with the system's file dialog. `undefined` if the system has no dialog. */
  get saveFile(): Bridge["saveFile"] {
    return this.#bridge.saveFile;
  }

  /** Registers a function that saves data before the program exits. Returns the function that unregisters it. */
  onEnding(keep: () => Promise<void>): () => void {
    return this.#bridge.ending(keep);
  }

  /** Notifies the shell that the roster is on the screen, and that the page handles links. */
  listens(): void {
    this.#bridge.ready(true);
  }

  /** Loads a member's tool list now and after each change. Returns the function that stops this. */
  watch(member: MemberName): () => void {
    this.#watched.set(member, (this.#watched.get(member) ?? 0) + 1);
    this.#readList(member);
    return () => {
      const left = (this.#watched.get(member) ?? 1) - 1;
      if (left > 0) this.#watched.set(member, left);
      else this.#watched.delete(member);
    };
  }

  /** Subscribes to all events. They arrive in one batch per frame. Returns the function that unsubscribes. */
  onEvents(listener: EventsListener): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Subscribes to a member's new stderr lines. Returns the function that unsubscribes. */
  onLines(member: MemberName, listener: (lines: readonly LogLine[], skipped: number) => void): () => void {
    return this.onEvents((events) => {
      const lines: LogLine[] = [];
      let skipped = 0;
      for (const event of events) {
        if (event.kind !== "stderr" || event.member !== member) continue;
        lines.push(...event.lines);
        skipped += event.skipped;
      }
      if (lines.length > 0 || skipped > 0) listener(lines, skipped);
    });
  }

  /** Subscribes to new history entries. If `missed` is true, calls may have been recorded without an event. */
  onRecorded(listener: (entries: readonly HistoryEntry[], missed: boolean) => void): () => void {
    return this.onEvents((events, missed) => {
      const entries = events.flatMap((event) => (event.kind === "call_recorded" ? [event.entry] : []));
      if (entries.length > 0 || missed) listener(entries, missed);
    });
  }

  /** Subscribes to the progress of a resource or prompt request. Returns the function that unsubscribes. */
  onProgress(call: CallId, listener: (progress: Progress) => void): () => void {
    return this.onEvents((events) => {
      for (const event of events) if (event.kind === "call_progress" && event.call === call) listener(event.progress);
    });
  }

  /** Sends a command about one member. A failure becomes a notice. The member's new state arrives as events. */
  async tend(command: MemberCommand, member: MemberName): Promise<void> {
    await this.#pend(`${command}:${member}`, () => this.ask(command, { member }));
  }

  async refreshAll(): Promise<void> {
    await this.#pend("refresh_tool_caches", async () => {
      const { failed } = await this.ask("refresh_tool_caches", {});
      const first = failed[0];
      if (first && failed.length === 1) this.tell(first);
      else if (first) {
        const names = failed.map((report) => report.member ?? "?");
        this.tell({ ...first, message: `The tool lists of ${number(names.length)} members could not be read: ${names.join(", ")}.`, member: null });
      }
    });
  }

  async cancel(call: CallId): Promise<void> {
    await this.#pend(`cancel_call:${call}`, () => this.ask("cancel_call", { call }));
  }

  toolDetail(member: MemberName, tool: ToolName): Promise<ToolDetail> {
    return this.ask("tool_detail", { member, tool });
  }

  tell(report: Report): void {
    this.#noticeId += 1;
    const notice = { id: this.#noticeId, report };
    // A repeated notice replaces the earlier one.
    const isOther = (other: Notice) => other.report.message !== report.message || other.report.member !== report.member;
    this.notices.update((notices) => [...notices.filter(isOther), notice].slice(-NOTICES_MAX));
  }

  dismiss(id: number): void {
    this.notices.update((notices) => notices.filter((notice) => notice.id !== id));
  }

  async #pend(key: string, work: () => Promise<unknown>): Promise<void> {
    if (this.pending.get().has(key)) return;
    this.pending.update((pending) => new Set(pending).add(key));
    try {
      await work();
    } catch (reason) {
      this.tell(asRefusal(reason).report);
    } finally {
      this.pending.update((pending) => {
        const left = new Set(pending);
        left.delete(key);
        return left;
      });
    }
  }

  #take(envelope: Envelope): void {
    this.#queue.push(envelope);
    if (this.#queue.length >= BATCH_MAX) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      this.#schedule(() => {
        this.#scheduled = false;
        this.#flush();
      });
    }
  }

  #flush(): void {
    const batch = this.#queue;
    if (batch.length === 0) return;
    this.#queue = [];
    this.state.set(batch.reduce(reduce, this.state.get()));
    const events = batch.map(({ event }) => event);
    this.#sinceAsked?.push(...events.filter(isOfElicitation));
    const missed = hasMissed(batch);
    if (missed) void this.#readElicitations();
    for (const listener of this.#eventListeners) listener(events, missed);
    for (const member of this.#watched.keys()) this.#readList(member);
  }

  /** Requests all open elicitations, after events may have been lost: a `roster` event does not contain them. */
  async #readElicitations(): Promise<void> {
    const since: HallEvent[] = [];
    // If two requests run at once, only the later one is applied, because its answer is newer.
    this.#sinceAsked = since;
    try {
      const { elicitations } = await this.ask("elicitations", {});
      if (this.#sinceAsked === since) this.state.update((state) => withElicitations(state, elicitations, since));
    } catch (reason) {
      this.tell(asRefusal(reason).report);
    } finally {
      if (this.#sinceAsked === since) this.#sinceAsked = null;
    }
  }

  #readList(member: MemberName): void {
    const { byName, generations } = this.state.get();
    const generation = generations.get(member) ?? 0;
    const known = this.lists.get().get(member);
    if (!byName.has(member) || this.#reading.has(member) || known?.generation === generation) return;
    this.#reading.add(member);
    const keep = (list: ToolList) => {
      this.#reading.delete(member);
      this.lists.update((lists) => new Map(lists).set(member, list));
      // The list may have changed again while it was read.
      if (this.#watched.has(member)) this.#readList(member);
    };
    this.ask("member_tools", { member }).then(
      (tools) => keep({ generation, tools, error: null }),
      (reason: unknown) =>
        keep({ generation, tools: known?.tools ?? null, error: asRefusal(reason).report }),
    );
  }
}

export const [HallContext, useHall] = storeContext<Hall>("useHall");

/** Whether events before this batch may have been lost. The engine then sends a `roster` event with the full list. */
function hasMissed(batch: readonly Envelope[]): boolean {
  return batch.some(({ event }) => event.kind === "roster");
}

function isOfElicitation({ kind }: HallEvent): boolean {
  return kind === "elicitation_asked" || kind === "elicitation_ended";
}
