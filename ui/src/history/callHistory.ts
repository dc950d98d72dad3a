/** What the window holds of the past: the list of calls, which one is open, and the named ones. */
import type { EntryId, HistoryEntry, MemberName, ToolName } from "../bridge/bindings";
import type { Hall } from "../hall/hall";
import { Store } from "../hall/store";
import type { Run } from "../hall/workbench";
import { CallLog } from "./callLog";
import { EVERYTHING, type Choice } from "./filter";
import { SavedBook } from "./savedBook";

interface ToolRef {
  readonly member: MemberName;
  readonly tool: ToolName;
}

/** One side of a comparison: a call of the past, or one of this window. */
export type Side = { readonly kind: "entry"; readonly entry: HistoryEntry } | { readonly kind: "run"; readonly run: Run };

export class CallHistory {
  readonly log: CallLog;
  readonly saved: SavedBook;
  readonly choice = new Store<Choice>(EVERYTHING);
  /** The call that is shown beside the list. */
  readonly opened = new Store<EntryId | null>(null);
  /** The calls that are to be compared, at most two; the one marked last is the second. */
  readonly marked = new Store<readonly HistoryEntry[]>([]);
  /** The two results that are shown against each other, the older one first. */
  readonly compared = new Store<readonly [Side, Side] | null>(null);
  /** The tool whose arguments are being given a name. */
  readonly naming = new Store<ToolRef | null>(null);

  constructor(hall: Hall) {
    this.log = new CallLog(hall);
    this.saved = new SavedBook(hall);
  }

  toggleMark(entry: HistoryEntry): void {
    this.marked.update((marked) =>
      marked.some(({ id }) => id === entry.id)
        ? marked.filter(({ id }) => id !== entry.id)
        : [...marked, entry].slice(-2),
    );
  }

  /** Shows the two marked calls against each other. */
  compareMarked(): void {
    const [left, right] = [...this.marked.get()].sort((a, b) => a.id - b.id);
    if (left && right) this.compare({ kind: "entry", entry: left }, { kind: "entry", entry: right });
  }

  compare(left: Side, right: Side): void {
    this.opened.set(null);
    this.compared.set([left, right]);
  }

  open(id: EntryId): void {
    this.compared.set(null);
    this.opened.set(id);
  }

  /** Puts away what is shown beside the list. */
  close(): void {
    this.compared.set(null);
    this.opened.set(null);
  }

  narrow(changes: Partial<Choice>): void {
    this.choice.update((choice) => ({ ...choice, ...changes }));
  }
}
