/**
 * The calls that were saved under a name, as this window changes them. The hall sends no events for these
 * changes, so each list is read again when `changes` increases.
 */
import type { ExistingName, MemberName, SavedCall, SavedId, ToolName } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import type { Hall } from "../hall/hall";
import { Store } from "../hall/store";

/** How long a removal can be undone. */
export const UNDO_MS = 8_000;

export class SavedBook {
  /** Grows with each change. */
  readonly changes = new Store(0);
  /** Those that are about to be removed; no list shows them. The newest last. */
  readonly leaving = new Store<readonly SavedCall[]>([]);

  readonly #hall: Hall;
  readonly #timers = new Map<SavedId, ReturnType<typeof setTimeout>>();

  constructor(hall: Hall) {
    this.#hall = hall;
  }

  async save(member: MemberName, tool: ToolName, name: string, args: string, existing: ExistingName): Promise<SavedCall> {
    await this.#makeWay(member, tool, name);
    const saved = await this.#hall.ask("save_call", { member, tool, name, arguments: args, existing });
    this.#changed();
    return saved;
  }

  async rename(call: SavedCall, name: string): Promise<SavedCall> {
    await this.#makeWay(call.member, call.tool, name);
    const renamed = await this.#hall.ask("rename_saved_call", { id: call.id, name });
    this.#changed();
    return renamed;
  }

  /** Takes a call off all lists at once, and removes it when the time to undo has passed. */
  remove(call: SavedCall): void {
    if (this.#timers.has(call.id)) return;
    this.leaving.update((calls) => [...calls, call]);
    this.#schedule(call.id);
  }

  undo(id: SavedId): void {
    this.hold(id);
    this.#timers.delete(id);
    this.leaving.update((calls) => calls.filter((call) => call.id !== id));
  }

  undoAll(): void {
    for (const { id } of this.leaving.get()) this.undo(id);
  }

  /** Removes all pending calls at once, because the undo buttons are gone. */
  removeAllNow(): void {
    for (const { id } of this.leaving.get()) void this.removeNow(id);
  }

  /** Pauses the timer of a removal while its button has the focus or the pointer. */
  hold(id: SavedId): void {
    clearTimeout(this.#timers.get(id));
  }

  /** Restarts the timer. */
  goOn(id: SavedId): void {
    if (!this.#timers.has(id)) return;
    this.hold(id);
    this.#schedule(id);
  }

  /** Removes it without waiting any longer. */
  async removeNow(id: SavedId): Promise<void> {
    this.hold(id);
    if (!this.#timers.delete(id)) return;
    try {
      await this.#hall.ask("delete_saved_call", { id });
    } catch (reason) {
      this.#hall.tell(asRefusal(reason).report);
    }
    this.leaving.update((calls) => calls.filter((call) => call.id !== id));
    this.#changed();
  }

  /** A name is free at once when the call that has it is about to be removed. */
  async #makeWay(member: MemberName, tool: ToolName, name: string): Promise<void> {
    const taken = this.leaving
      .get()
      .filter((call) => call.member === member && call.tool === tool && call.name === name.trim());
    await Promise.all(taken.map(({ id }) => this.removeNow(id)));
  }

  #schedule(id: SavedId): void {
    this.#timers.set(
      id,
      setTimeout(() => void this.removeNow(id), UNDO_MS),
    );
  }

  #changed(): void {
    this.changes.update((count) => count + 1);
  }
}
