/**
 * Mocks the call history, in memory. It does not mask secrets, but it recognizes the mask in arguments when a
 * masked call is saved again.
 */
import type {
  CallId,
  CallOutcome,
  EntryId,
  HallEvent,
  HistoryEntry,
  HistoryFilter,
  HistorySettings,
  HistoryState,
  OutcomeKind,
  RecordedCall,
  Report,
  SavedCall,
  SavedId,
} from "../bindings";
import type { Answers } from "../answers";
import { MASK } from "../../lib/mask";
import { Refusal } from "../bridge";
import { refusal } from "./refusal";

const PAGE_MAX = 500;
const SUMMARY_MAX = 200;
const SAVED_NAME_MAX = 120;
const DRAFT_MAX = 1 << 20;

export class MockHistory {
  /** A failure of the database. If it is set, lists are empty and carry this report. */
  trouble: Report | null = null;
  /** The exported text by path. */
  readonly exports = new Map<string, string>();

  readonly #tell: (event: HallEvent) => void;
  /** The recorded calls, oldest first. */
  #calls: RecordedCall[] = [];
  #saved: SavedCall[] = [];
  readonly #drafts = new Map<string, { draft: string; keptAtMs: number }>();
  #settings: HistorySettings = { recording: true, keepCalls: 100_000, keepBytes: 512 * 1024 * 1024 };
  #lastEntry: EntryId = 0;
  #lastSaved: SavedId = 0;

  constructor(tell: (event: HallEvent) => void) {
    this.#tell = tell;
  }

  /** Records a call that has ended, and sends the event. */
  record(outcome: CallOutcome, args: string, changes: Partial<RecordedCall> = {}, by: Pick<HistoryEntry, "caller" | "client"> = { caller: "window", client: null }): HistoryEntry | null {
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

  readonly handlers: Answers = {
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
