/**
 * Saves, renames and deletes saved calls. The engine sends no events for these changes, so each list is read again when
 * `changes` increases.
 */
import type { ExistingName, MemberName, SavedCall, SavedId, ToolName } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Hall } from "../../lib/hall/hall";
import { Store } from "../../lib/store";
import { closeToast, offerUndo } from "../../lib/toasts";

export class SavedCallStore {
  /** The number of changes made in this window. */
  readonly changes = new Store(0);
  /** Calls whose deletion the user can still undo, each with the ID of its toast. No list shows them. */
  readonly leaving = new Store<ReadonlyMap<SavedId, { readonly call: SavedCall; readonly toast: number }>>(new Map());

  readonly #hall: Hall;

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

  /** Hides a call immediately, and deletes the call when the user can no longer undo the removal. */
  remove(call: SavedCall, onUndo: () => void = () => undefined): void {
    if (this.leaving.get().has(call.id)) return;
    const undo = () => {
      this.#show(call.id);
      onUndo();
    };
    const toast = offerUndo(`Deleted ${call.name}`, undo, () => void this.#delete(call.id));
    this.leaving.update((calls) => new Map(calls).set(call.id, { call, toast }));
  }

  async #delete(id: SavedId): Promise<void> {
    try {
      await this.#hall.ask("delete_saved_call", { id });
    } catch (reason) {
      this.#hall.tell(asRefusal(reason).report);
    }
    this.#show(id);
    this.#changed();
  }

  #show(id: SavedId): void {
    this.leaving.update((calls) => new Map([...calls].filter(([other]) => other !== id)));
  }

  /** Frees a name: if a call with this name is hidden and its deletion can still be undone, completes the deletion. */
  async #makeWay(member: MemberName, tool: ToolName, name: string): Promise<void> {
    const taken = [...this.leaving.get().values()].filter(
      ({ call }) => call.member === member && call.tool === tool && call.name === name.trim(),
    );
    for (const { call, toast } of taken) {
      closeToast(toast, true);
      await this.#delete(call.id);
    }
  }

  #changed(): void {
    this.changes.update((count) => count + 1);
  }
}
