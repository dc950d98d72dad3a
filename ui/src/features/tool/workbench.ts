/**
 * The workbench: for each tool, the draft and the last calls, kept in memory while the user visits other pages.
 * The number of tools and calls is limited; the oldest are dropped first.
 */
import type {
  ArgumentCheck,
  ArgumentError,
  CallId,
  CallOutcome,
  MemberName,
  ToolName,
} from "../../ipc/bindings";
import type { Bridge } from "../../ipc/bridge";
import { newCallId } from "../../lib/callId";
import { failedEnd, shownCall, trimmed, withSheet } from "../../lib/callSheets";
import type { Draft } from "../form/model/draft";
import { draftFromText, draftToText } from "../form/model/draftText";
import { DraftKeeper } from "./drafts";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";

/** A call made from this window. */
export interface Run {
  call: CallId;
  /** The position of the call among the tool's calls, from 1. */
  number: number;
  member: MemberName;
  tool: ToolName;
  /** The sent arguments as JSON text. */
  arguments: string;
  /** Whether invalid arguments are rejected or sent anyway. A retry uses the same setting. */
  check: ArgumentCheck;
  startedAtMs: number;
  /** The outcome; `null` while the call runs. */
  outcome: CallOutcome | null;
}

/** The draft and the calls of one tool. */
interface Sheet {
  draft: Draft | null;
  /** The draft as it was loaded into the form. If `draft` is the same object, the user has not changed it. */
  given: Draft | null;
  /** The user's draft that was replaced by a draft from another page. The user can restore it. */
  replaced: Draft | null;
  /** The stored draft of an earlier session, if it was read after the user had started typing. */
  earlier: Draft | null;
  /** Notes about a draft from another page, shown until the tool is run. */
  notes: readonly string[];
  /** Counts the drafts loaded from outside the form. Each one resets the form. */
  handed: number;
  /** The validation errors with which Rust rejected a call with this draft. Emptied when the draft changes. */
  refused: readonly ArgumentError[];
  /** The calls, oldest first. */
  runs: readonly Run[];
  /** The call whose result is shown; `null` for the newest. */
  shown: CallId | null;
  /** The number of calls made, including those dropped from `runs`. */
  count: number;
}

export type SheetKey = string;

/** Maximum calls kept per tool, and maximum tools. Results can be large. */
const RUNS_MAX = 8;
const SHEETS_MAX = 60;

/** Time in milliseconds within which an identical call is taken for an accidental second press and not made. */
const REPEAT_MS = 500;

const EMPTY: Sheet = { draft: null, given: null, replaced: null, earlier: null, notes: [], handed: 0, refused: [], runs: [], shown: null, count: 0 };

/** The key of a tool's sheet. It is unique, because member names can't contain `/`. */
export function sheetKey(member: MemberName, tool: ToolName): SheetKey {
  return `${member}/${tool}`;
}

export class Workbench {
  readonly sheets = new Store<ReadonlyMap<SheetKey, Sheet>>(new Map());
  /** Stores the drafts on disk. */
  readonly drafts: DraftKeeper;
  readonly #bridge: Pick<Bridge, "call">;
  /** The last requested call and the time of the request, used to ignore accidental repetitions. */
  #last = { what: "", atMs: Number.NEGATIVE_INFINITY };

  constructor(bridge: Pick<Bridge, "call">) {
    this.#bridge = bridge;
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

  /** Replaces a tool's draft with a draft from another page, such as a past call. */
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

  /** Restores an earlier draft. The current draft can then be restored in turn. */
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
   * Calls a tool and stores the call and its outcome in the tool's sheet. An identical call within `REPEAT_MS`
   * is not made; the result is then `null`.
   */
  async run(
    member: MemberName,
    tool: ToolName,
    args: string,
    check: ArgumentCheck,
    timeoutMs: number | null = null,
  ): Promise<CallOutcome | null> {
    const key = sheetKey(member, tool);
    const startedAtMs = Date.now();
    const what = JSON.stringify([key, args, check, timeoutMs]);
    if (this.#last.what === what && startedAtMs - this.#last.atMs < REPEAT_MS) return null;
    this.#last = { what, atMs: startedAtMs };
    const call = newCallId();
    this.#change(key, (sheet) => {
      const number = sheet.count + 1;
      const run: Run = { call, number, member, tool, arguments: args, check, startedAtMs, outcome: null };
      return { ...sheet, notes: [], refused: [], runs: trimmed([...sheet.runs, run], RUNS_MAX, isRunning), shown: call, count: number };
    });
    const outcome = await this.#bridge
      .call("invoke_tool", { call, member, tool, arguments: args, check, timeoutMs })
      .catch((reason: unknown): CallOutcome => ({
        call,
        member,
        tool,
        startedAtMs,
        durationMs: Date.now() - startedAtMs,
        request: null,
        structured: null,
        end: failedEnd(reason),
      }));
    this.#change(key, (sheet) => ({
      ...sheet,
      runs: sheet.runs.map((run) => (run.call === call ? { ...run, outcome } : run)),
    }));
    return outcome;
  }

  /** Stores the validation errors of the form's arguments. `call` is the rejected call, which is removed. */
  refuse(key: SheetKey, errors: readonly ArgumentError[], call: CallId | null): void {
    this.#change(key, (sheet) => {
      const runs = sheet.runs.filter((run) => run.call !== call);
      const shown = sheet.shown === call ? (runs.at(-1)?.call ?? null) : sheet.shown;
      return { ...sheet, refused: errors, runs, shown };
    });
  }

  /** Handles a stored draft that was read: fills an empty form, or offers the draft if the user has typed. */
  #found(key: SheetKey, text: string): void {
    const draft = draftFromText(text);
    if (draft === null) return;
    this.#change(key, (sheet) => (sheet.draft === null ? { ...sheet, draft } : { ...sheet, earlier: draft }));
  }

  #change(key: SheetKey, change: (sheet: Sheet) => Sheet): void {
    this.sheets.update((sheets) => withSheet(sheets, key, change(sheets.get(key) ?? EMPTY), SHEETS_MAX, ({ runs }) => runs.some(isRunning)));
  }
}

export const [WorkbenchContext, useWorkbench] = storeContext<Workbench>("useWorkbench");

/** The draft to offer for restoring when `next` replaces the current one: the user's current or earlier draft. */
function typedBefore({ draft, given, replaced }: Sheet, next: Draft): Draft | null {
  const isEmpty = draft === null || draft.kind === "absent" || (draft.kind === "object" && draft.entries.size === 0);
  if (isEmpty || draft === given) return replaced;
  const written = draftToText(draft);
  return written !== null && written === draftToText(next) ? replaced : draft;
}

function isRunning({ outcome }: Run): boolean {
  return outcome === null;
}

/** The call whose result is shown. */
export function shownRun(sheet: Sheet): Run | null {
  return shownCall(sheet.runs, sheet.shown);
}

/** All running calls of this window. */
export function runningRuns(sheets: ReadonlyMap<SheetKey, Sheet>): readonly Run[] {
  return [...sheets.values()].flatMap(({ runs }) => runs.filter(isRunning));
}
