/**
 * Mocks the call history, in memory. It does not mask secrets, but it recognizes the mask in arguments when a
 * masked call is saved again.
 */
import type {
  AgentSession,
  CallId,
  CallOutcome,
  CreateChecks,
  CreatedChecks,
  EntryId,
  HallEvent,
  HistoryEntry,
  HistoryFilter,
  HistorySettings,
  HistoryState,
  MemberName,
  OutcomeKind,
  RecordedCall,
  Report,
  SavedCall,
  SavedId,
  SessionRef,
  UnusedCall,
} from "../bindings";
import type { Answers } from "../answers";
import { MASK } from "../../lib/mask";
import { Refusal } from "../bridge";
import { refusal } from "./refusal";

const PAGE_MAX = 500;
const SUMMARY_MAX = 200;
const SAVED_NAME_MAX = 120;
const DRAFT_MAX = 1 << 20;

interface Members {
  readonly has: (name: MemberName) => boolean;
  readonly add: (name: MemberName) => void;
}

export class MockHistory {
  /** A failure of the database. If it is set, lists are empty and carry this report. */
  trouble: Report | null = null;
  /** The exported text by path. */
  readonly exports = new Map<string, string>();

  readonly #tell: (event: HallEvent) => void;
  readonly #members: Members;
  /** The recorded calls, oldest first. */
  #calls: RecordedCall[] = [];
  #saved: SavedCall[] = [];
  readonly #drafts = new Map<string, { draft: string; keptAtMs: number }>();
  #settings: HistorySettings = { recording: true, keepCalls: 100_000, keepBytes: 512 * 1024 * 1024 };
  #lastEntry: EntryId = 0;
  #lastSaved: SavedId = 0;

  /** The running requests that create checks. */
  readonly #creating = new Map<CallId, AbortController>();

  constructor(tell: (event: HallEvent) => void, members: Members) {
    this.#tell = tell;
    this.#members = members;
  }

  /** Records a call that has ended, and sends the event. */
  record(outcome: CallOutcome, args: string, changes: Partial<RecordedCall> = {}, by: Pick<HistoryEntry, "caller" | "client" | "session"> = { caller: "window", client: null, session: null }): HistoryEntry | null {
    if (!this.#settings.recording || this.trouble) return null;
    this.#lastEntry += 1;
    const { end } = outcome;
    const entry: HistoryEntry = {
      id: this.#lastEntry,
      call: outcome.call,
      atMs: outcome.startedAtMs,
      ...by,
      member: outcome.member,
      tool: outcome.tool,
      outcome: outcomeOf(outcome),
      code: end.kind === "failed" ? end.report.code : null,
      durationMs: outcome.durationMs,
      size: end.kind === "result" ? new TextEncoder().encode(end.result).length : 0,
      summary: args.replace(/\s+/g, " ").slice(0, SUMMARY_MAX),
      traceId: this.#lastEntry.toString(16).padStart(32, "0"),
    };
    const recorded = { entry, arguments: args, masked: [], end, truncated: false, schema: "same" as const };
    this.#calls.push({ ...recorded, ...changes });
    if (this.#calls.length > this.#settings.keepCalls) this.#calls.shift();
    this.#tell({ kind: "call_recorded", entry });
    return entry;
  }

  /** The history entry of a call, by call id. */
  entryOf(call: CallId): HistoryEntry | undefined {
    return this.#calls.find(({ entry }) => entry.call === call)?.entry;
  }

  /** Creates checks from recorded calls. Tests replace it to delay or change the answer. */
  createChecks = ({ calls, target }: CreateChecks): Promise<CreatedChecks> => {
    const chosen = this.#calls.filter(({ entry }) => calls.includes(entry.id));
    const [used, unused] = [chosen.filter(({ entry }) => entry.outcome === "ok"), chosen.filter(({ entry }) => entry.outcome !== "ok")];
    return Promise.resolve({
      files: target.kind === "suite" ? [target.path] : [...new Set(used.map(({ entry }) => `/home/me/.local/share/guild-hall/guild-members/${entry.member}/plugin.json`))],
      checks: used.map(({ entry, masked }) => ({ member: entry.member, tool: entry.tool, name: `${entry.tool} ${entry.id}`, expects: ["the result succeeds"], volatile: ["/time"], asks: masked })),
      leftOut: leftOut(unused),
      missing: calls.length - chosen.length,
    });
  };

  cancel(call: CallId): void {
    this.#creating.get(call)?.abort();
  }

  readonly handlers: Answers = {
    agent_sessions: ({ limit }) => {
      const sessions = this.#sessions();
      return Promise.resolve({ sessions: sessions.slice(0, limit), more: sessions.length > limit });
    },
    agent_session: ({ id }) => {
      const session = this.#sessions().find(({ of }) => this.#calls.some((call) => call.entry.id === id && isOf(call.entry, of)));
      return session ? Promise.resolve(session) : Promise.reject(gone());
    },
    create_checks: async (request) => {
      const abort = new AbortController();
      this.#creating.set(request.call, abort);
      const cancelled = new Promise<never>((_, end) => abort.signal.addEventListener("abort", () => end(refusal("call-cancelled", "The call was cancelled."))));
      try {
        return await Promise.race([this.createChecks(request), cancelled]);
      } finally {
        this.#creating.delete(request.call);
      }
    },
    create_mock: ({ calls, of, member }) => {
      if (this.#members.has(member)) return Promise.reject(refusal("adoption-refused", `There is a member called ${member}.`, "Give another name."));
      const chosen = this.#calls.filter(({ entry }) => entry.member === of && calls.includes(entry.id));
      const used = chosen.filter(({ end }) => end.kind === "result");
      this.#members.add(member);
      return Promise.resolve({
        member,
        folder: `/home/me/.local/share/guild-hall/guild-members/${member}`,
        calls: used.length,
        tools: [...new Set(used.map(({ entry }) => entry.tool))],
        leftOut: leftOut(chosen.filter((call) => !used.includes(call))),
        missing: calls.filter((id) => !this.#calls.some(({ entry }) => entry.id === id)).length,
      });
    },
    search_history: ({ filter, before, limit }) => {
      if (this.trouble) return Promise.resolve({ entries: [], more: false, trouble: this.trouble });
      const found = this.#calls
        .filter((call) => fits(call, filter) && (before === null || call.entry.id < before))
        .map(({ entry }) => entry)
        .reverse();
      const most = Math.min(limit, PAGE_MAX);
      return Promise.resolve({ entries: found.slice(0, most), more: found.length > most, trouble: null });
    },
    history_entry: ({ id }) => {
      const call = this.#calls.find(({ entry }) => entry.id === id);
      return call ? Promise.resolve(call) : Promise.reject(gone());
    },
    clear_history: (filter) => {
      const left = this.#calls.filter((call) => !fits(call, filter));
      const count = this.#calls.length - left.length;
      this.#calls = left;
      return Promise.resolve({ count });
    },
    export_history: ({ filter, path }) => {
      const chosen = this.#calls.filter((call) => fits(call, filter));
      this.exports.set(path, chosen.map((call) => `${JSON.stringify(call)}\n`).join(""));
      return Promise.resolve({ path, count: chosen.length });
    },
    save_call: ({ existing, ...call }) => {
      const name = this.#freeName(call, existing === "replace");
      this.#lastSaved += 1;
      const masked = masksIn(JSON.parse(call.arguments), "");
      const saved = { ...call, name, id: this.#lastSaved, masked, savedAtMs: Date.now() };
      this.#saved = [...this.#saved.filter((other) => !sameName(other, saved)), saved];
      return Promise.resolve(saved);
    },
    saved_calls: ({ member, tool }) => {
      if (this.trouble) return Promise.resolve({ calls: [], more: false, trouble: this.trouble });
      const calls = this.#saved
        .filter((call) => (member ?? call.member) === call.member && (tool ?? call.tool) === call.tool)
        .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
      return Promise.resolve({ calls, more: false, trouble: null });
    },
    rename_saved_call: ({ id, name }) => {
      const before = this.#saved.find((call) => call.id === id);
      if (!before) return Promise.reject(gone());
      const renamed = { ...before, name: this.#freeName({ ...before, name }, before.name === name.trim()) };
      this.#saved = this.#saved.map((call) => (call.id === id ? renamed : call));
      return Promise.resolve(renamed);
    },
    delete_saved_call: ({ id }) => {
      this.#saved = this.#saved.filter((call) => call.id !== id);
      return Promise.resolve({});
    },
    keep_draft: ({ member, tool, draft }) => {
      const key = JSON.stringify([member, tool]);
      if (draft === null) this.#drafts.delete(key);
      else if (draft.length > DRAFT_MAX) return Promise.reject(refusal("history-too-large", "The draft is too large to be kept."));
      else this.#drafts.set(key, { draft, keptAtMs: Date.now() });
      return Promise.resolve({});
    },
    kept_draft: ({ member, tool }) => {
      const kept = this.#drafts.get(JSON.stringify([member, tool]));
      return Promise.resolve({ draft: kept?.draft ?? null, keptAtMs: kept?.keptAtMs ?? null, trouble: this.trouble });
    },
    history_settings: () => Promise.resolve(this.#state()),
    change_history_settings: (settings) => {
      this.#settings = settings;
      this.#calls = this.#calls.slice(-settings.keepCalls);
      return Promise.resolve(this.#state());
    },
  };

  /** The sessions of agents, the newest first. Pauses don't end them here. */
  #sessions(): AgentSession[] {
    const byAgent = new Map<string, HistoryEntry[]>();
    for (const { entry } of this.#calls) {
      const key = JSON.stringify([entry.client, entry.session]);
      if (entry.caller === "agent") byAgent.set(key, [...(byAgent.get(key) ?? []), entry]);
    }
    return [...byAgent.values()]
      .flatMap((entries) => {
        const [first, last] = [entries[0], entries.at(-1)];
        if (!first || !last) return [];
        return {
          of: { client: first.client, session: first.session, first: first.id, last: last.id },
          beganMs: first.atMs,
          lastCallMs: last.atMs,
          calls: entries.length,
          failed: entries.filter(({ outcome }) => outcome !== "ok").length,
          members: [...new Set(entries.map(({ member }) => member))].sort(),
        };
      })
      .sort((a, b) => b.of.last - a.of.last);
  }

  #state(): HistoryState {
    return {
      settings: this.#settings,
      file: "/home/me/.local/share/guild-hall/history.db",
      calls: this.#calls.length,
      size: this.#calls.reduce((sum, { entry }) => sum + entry.size, 0),
      unrecorded: 0,
      trouble: this.trouble,
    };
  }

  /** Returns the trimmed name. Throws if the name is invalid or another saved call of the tool has it. */
  #freeName(call: Pick<SavedCall, "member" | "tool" | "name">, mayBeTaken: boolean): string {
    const name = call.name.trim();
    if (name === "" || name.length > SAVED_NAME_MAX || /\p{Cc}/u.test(name)) {
      throw refusal("saved-name-refused", `A name has 1 to ${SAVED_NAME_MAX} characters on one line.`);
    }
    if (!mayBeTaken && this.#saved.some((other) => sameName(other, { ...call, name }))) {
      throw refusal("saved-name-refused", `${call.tool} has a saved call of the name "${name}".`);
    }
    return name;
  }
}

function outcomeOf({ end }: CallOutcome): OutcomeKind {
  if (end.kind === "result") return end.isError ? "tool-error" : "ok";
  return end.report.code === "call-cancelled" ? "cancelled" : "failed";
}

function leftOut(calls: readonly RecordedCall[]): UnusedCall[] {
  return calls.map(({ entry }) => ({ entry: entry.id, member: entry.member, tool: entry.tool, why: "it has no result" }));
}

function isOf(entry: HistoryEntry, of: SessionRef): boolean {
  return entry.caller === "agent" && entry.client === of.client && entry.session === of.session && of.first <= entry.id && entry.id <= of.last;
}

function fits({ entry, arguments: args, end }: RecordedCall, filter: HistoryFilter): boolean {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const hasWords = (wanted: readonly string[]) => {
    if (wanted.length === 0) return true;
    const result = end.kind === "result" ? end.result : end.report.message;
    const words = wordsOf(`${entry.member} ${entry.tool} ${args} ${result}`);
    return wanted.every((begin) => words.some((word) => word.startsWith(begin)));
  };
  return (
    hasWords(wordsOf(filter.text ?? "")) &&
    (filter.member ?? entry.member) === entry.member &&
    (filter.tool ?? entry.tool) === entry.tool &&
    (filter.outcome ?? entry.outcome) === entry.outcome &&
    (filter.caller ?? entry.caller) === entry.caller &&
    (filter.entry ?? entry.id) === entry.id &&
    (filter.session === null || isOf(entry, filter.session)) &&
    (filter.sinceMs ?? 0) <= entry.atMs &&
    entry.atMs < (filter.untilMs ?? Infinity)
  );
}

/** The JSON Pointers of the values that contain the mask. */
function masksIn(value: unknown, pointer: string): string[] {
  if (typeof value === "string") return value.includes(MASK) ? [pointer] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const within = masksIn(inner, place);
    return key.includes(MASK) && !within.includes(place) ? [...within, place] : within;
  });
}

function sameName(a: Pick<SavedCall, "member" | "tool" | "name">, b: typeof a): boolean {
  return a.member === b.member && a.tool === b.tool && a.name === b.name;
}

function sortKey({ member, tool, name }: SavedCall): string {
  return [member, tool, name].join("\0");
}

function gone(): Refusal {
  return refusal("history-entry-unknown", "It is not in the history any more.");
}
