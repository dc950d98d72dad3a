/** The stores of the History page: the list of past calls, the opened, selected and compared calls, and saved calls. */
import type { EntryId, HistoryEntry, MemberName, ToolName } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Hall } from "../../lib/hall/hall";
import type { Navigation } from "../../lib/navigation/navigation";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import type { Run } from "../tool/workbench";
import { offerUndo } from "../../lib/toasts";
import { counted } from "../../lib/format";
import { CallLog } from "./callLog";
import { EVERYTHING, NO_FILTER, type Choice } from "./filter";
import { SavedCallStore } from "./savedCallStore";

interface ToolRef {
  readonly member: MemberName;
  readonly tool: ToolName;
}

/** One side of a comparison: a recorded call, or a call made in this window. */
export type Side = { readonly kind: "entry"; readonly entry: HistoryEntry } | { readonly kind: "run"; readonly run: Run };

export class CallHistory {
  readonly log: CallLog;
  readonly saved: SavedCallStore;
  readonly choice = new Store<Choice>(EVERYTHING);
  /** The call that the sheet shows. */
  readonly opened = new Store<EntryId | null>(null);
  /** The selected calls, in the order of selection. */
  readonly selected = new Store<readonly HistoryEntry[]>([]);
  /** The two sides of the open comparison, the older one first. */
  readonly compared = new Store<readonly [Side, Side] | null>(null);
  /** The tool for which the popover that saves arguments under a name is open; `null` while no popover is open. */
  readonly naming = new Store<ToolRef | null>(null);

  readonly #hall: Hall;

  constructor(hall: Hall) {
    this.#hall = hall;
    this.log = new CallLog(hall);
    this.saved = new SavedCallStore(hall);
  }

  toggleSelected(entry: HistoryEntry): void {
    this.selected.update((selected) => {
      const others = selected.filter(({ id }) => id !== entry.id);
      return others.length < selected.length ? others : [...others, entry];
    });
  }

  compareSelected(): void {
    const [left, right] = [...this.selected.get()].sort((a, b) => a.id - b.id);
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

  /** Closes the sheet with a call or a comparison. */
  close(): void {
    this.compared.set(null);
    this.opened.set(null);
  }

  narrow(changes: Partial<Choice>): void {
    this.choice.update((choice) => ({ ...choice, ...changes }));
  }

  /** Hides calls immediately, and deletes them when the user can no longer undo the removal. */
  remove(entries: readonly HistoryEntry[]): void {
    const ids = entries.map(({ id }) => id);
    this.log.hide(ids);
    this.selected.set([]);
    if (ids.includes(this.opened.get() ?? -1)) this.close();
    const settle = async () => {
      try {
        for (const entry of ids) await this.#hall.ask("clear_history", { ...NO_FILTER, entry });
        for (const id of ids) this.log.forget(id);
      } catch (reason) {
        this.#hall.tell(asRefusal(reason).report);
      }
      this.log.show(ids);
    };
    offerUndo(`Deleted ${counted(ids.length, { one: "call", other: "calls" })}`, () => this.log.show(ids), () => void settle());
  }
}

export const [CallHistoryContext, useCallHistory] = storeContext<CallHistory>("useCallHistory");

/** Opens the History page with one past call in the sheet. */
export function openCall({ history, navigation }: { readonly history: CallHistory; readonly navigation: Navigation }, id: EntryId): void {
  navigation.openHistory();
  history.open(id);
}
