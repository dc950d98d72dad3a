import type { Bridge } from "../../ipc/bridge";
/**
 * The workbench: a person's current work. One draft per tool and its last calls, kept while they
 * look at something else. Bounded, oldest first.
 */
import type {
  ArgumentCheck,
  ArgumentError,
  CallId,
  CallOutcome,
  MemberName,
  ToolName,
} from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { newCallId } from "../../lib/callId";
import type { Draft } from "../form/model/draft";
import { draftFromText, draftToText } from "../form/model/draftText";
import { DraftKeeper } from "./drafts";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";

/** One call that this window asked for. */
export interface Run {
  call: CallId;
  /** Its number among the tool's calls, from 1. */
  number: number;
  member: MemberName;
  tool: ToolName;
  /** The arguments as they were sent, as JSON text. */
  arguments: string;
  /** Whether they had to pass the check; a retry does the same. */
  check: ArgumentCheck;
  startedAtMs: number;
  /** The outcome; `null` while it runs. */
  outcome: CallOutcome | null;
}

/** The drafts and calls of one tool. */
interface Sheet {
  draft: Draft | null;
  /** The draft as loaded; it is unchanged until a person types. */
  given: Draft | null;
  /** The draft that a draft from elsewhere replaced. */
  replaced: Draft | null;
  /** The stored draft of an earlier window, if it was read only after the typing had begun. */
  earlier: Draft | null;
  /** Notes about a draft from elsewhere, until it is run. */
  notes: readonly string[];
  /** The number of loaded drafts: each one resets the form. */
  handed: number;
  /** The errors for which a call with the draft was refused; none once the draft changes. */
  refused: readonly ArgumentError[];
  /** Oldest first. */
  runs: readonly Run[];
  /** The call whose result is shown; the newest when `null`. */
  shown: CallId | null;
  /** The number of calls in all. */
  count: number;
}

export type SheetKey = string;

/** Maximum results per tool, and maximum tools: results can be large. */
const RUNS_MAX = 8;
const SHEETS_MAX = 60;

/** Calls of one tool may run side by side, but a repeated press within this time is accidental. */
const REPEAT_MS = 500;

const EMPTY: Sheet = { draft: null, given: null, replaced: null, earlier: null, notes: [], handed: 0, refused: [], runs: [], shown: null, count: 0 };

/** Names a sheet. A member's name has no `/`, so two tools never share one. */
export function sheetKey(member: MemberName, tool: ToolName): SheetKey {
  return `${member}/${tool}`;
}

export class Workbench {
  readonly sheets = new Store<ReadonlyMap<SheetKey, Sheet>>(new Map());
  /** The drafts that outlive the window. */
  readonly drafts: DraftKeeper;
  readonly #bridge: Pick<Bridge, "call">;
  readonly #now: () => number;
  /** The last requested call and its time. */
  #last = { what: "", atMs: Number.NEGATIVE_INFINITY };

  constructor(bridge: Pick<Bridge, "call">, now: () => number = () => Date.now()) {
    this.#bridge = bridge;
    this.#now = now;
    this.drafts = new DraftKeeper({
      keep: (request) => bridge.call("keep_draft", request),
      kept: (request) => bridge.call("kept_draft", request),
      found: (member, tool, text) => this.#found(sheetKey(member, tool), text),
    });
  }

  sheet(key: SheetKey): Sheet {
    return this.sheets.get().get(key) ?? EMPTY;
  }

  keepDraft(key: SheetKey, draft: Draft): void {
    this.#change(key, (sheet) => ({ ...sheet, draft, refused: [] }));
  }

  /** Puts a draft from elsewhere, such as a call of the past, in the place of the tool's own. */
  handOver(key: SheetKey, draft: Draft, notes: readonly string[]): void {
    this.#change(key, (sheet) => ({
      ...sheet,
      draft,
      refused: [],
      given: draft,
      replaced: typedBefore(sheet, draft),
      notes,
      handed: sheet.handed + 1,
    }));
  }

  /** Restores an earlier draft; the current one is offered in its place. */
  putBack(key: SheetKey, which: "replaced" | "earlier"): void {
    this.#change(key, (sheet) => {
      const draft = sheet[which];
      if (draft === null) return sheet;
      const replaced = typedBefore({ ...sheet, replaced: which === "replaced" ? null : sheet.replaced }, draft);
      return { ...sheet, [which]: null, draft, refused: [], given: null, replaced, notes: [], handed: sheet.handed + 1 };
    });
  }

  putNotesAway(key: SheetKey): void {
    this.#change(key, (sheet) => ({ ...sheet, notes: [], replaced: null, earlier: null }));
  }

  show(key: SheetKey, call: CallId): void {
    this.#change(key, (sheet) => ({ ...sheet, shown: call }));
  }

  /**
   * Calls a tool. Every outcome ends up on the tool's sheet. A repeated press within
   * half a second makes no call and returns `null`.
   */
  async run(
    member: MemberName,
    tool: ToolName,
    args: string,
    check: ArgumentCheck,
    timeoutMs: number | null = null,
  ): Promise<CallOutcome | null> {
    const key = sheetKey(member, tool);
    const startedAtMs = this.#now();
    const what = JSON.stringify([key, args, check, timeoutMs]);
    if (this.#last.what === what && startedAtMs - this.#last.atMs < REPEAT_MS) return null;
    this.#last = { what, atMs: startedAtMs };
    const call = newCallId();
    this.#change(key, (sheet) => {
      const number = sheet.count + 1;
      const run: Run = { call, number, member, tool, arguments: args, check, startedAtMs, outcome: null };
      return { ...sheet, notes: [], refused: [], runs: trimmed([...sheet.runs, run]), shown: call, count: number };
    });
    const outcome = await this.#bridge
      .call("invoke_tool", { call, member, tool, arguments: args, check, timeoutMs })
      .catch((reason: unknown): CallOutcome => ({
        call,
        member,
        tool,
        startedAtMs,
        durationMs: this.#now() - startedAtMs,
        request: null,
        structured: null,
        end: {
          kind: "failed",
          report: asRefusal(reason).report,
          rpc: null,
          arguments: [],
          stderr: [],
        },
      }));
    this.#change(key, (sheet) => ({
      ...sheet,
      runs: sheet.runs.map((run) => (run.call === call ? { ...run, outcome } : run)),
    }));
    return outcome;
  }

  /** Keeps the errors for which the form's arguments were refused, and drops the refused call. */
  refuse(key: SheetKey, errors: readonly ArgumentError[], call: CallId | null): void {
    this.#change(key, (sheet) => {
      const runs = sheet.runs.filter((run) => run.call !== call);
      const shown = sheet.shown === call ? (runs.at(-1)?.call ?? null) : sheet.shown;
      return { ...sheet, refused: errors, runs, shown };
    });
  }

  /** A stored draft arrived: it fills an empty form, or is offered if a person has typed. */
  #found(key: SheetKey, text: string): void {
    const draft = draftFromText(text);
    if (draft === null) return;
    this.#change(key, (sheet) => (sheet.draft === null ? { ...sheet, draft } : { ...sheet, earlier: draft }));
  }

  #change(key: SheetKey, change: (sheet: Sheet) => Sheet): void {
    this.sheets.update((sheets) => {
      const next = new Map(sheets);
      const sheet = change(next.get(key) ?? EMPTY);
      // The key moves to the end, so that the first ones are those not touched for longest.
      next.delete(key);
      next.set(key, sheet);
      if (next.size > SHEETS_MAX) {
        for (const [oldest, { runs }] of next) {
          if (runs.some((run) => !run.outcome)) continue;
          next.delete(oldest);
          break;
        }
      }
      return next;
    });
  }
}

export const [WorkbenchContext, useWorkbench] = storeContext<Workbench>("useWorkbench");

/** The typed draft that `next` would replace; an earlier one if nothing was typed since. */
function typedBefore({ draft, given, replaced }: Sheet, next: Draft): Draft | null {
  const isEmpty = draft === null || draft.kind === "absent" || (draft.kind === "object" && draft.entries.size === 0);
  if (isEmpty || draft === given) return replaced;
  const written = draftToText(draft);
  return written !== null && written === draftToText(next) ? replaced : draft;
}

/** Drops the oldest finished calls past the limit; a running one is never dropped. */
function trimmed(runs: readonly Run[]): readonly Run[] {
  let surplus = runs.length - RUNS_MAX;
  return runs.filter((run) => {
    if (surplus <= 0 || !run.outcome) return true;
    surplus -= 1;
    return false;
  });
}

/** The call whose result is shown. */
export function shownRun(sheet: Sheet): Run | null {
  return sheet.runs.find((run) => run.call === sheet.shown) ?? sheet.runs.at(-1) ?? null;
}

/** All calls of this window that run, newest first. */
export function runningRuns(sheets: ReadonlyMap<SheetKey, Sheet>): readonly Run[] {
  return [...sheets.values()]
    .flatMap((sheet) => sheet.runs.filter((run) => !run.outcome))
    .sort((a, b) => b.startedAtMs - a.startedAtMs);
}
