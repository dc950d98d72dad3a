/** The state of program updates. */
import type { HallEvent, UpdateState } from "../../ipc/bindings";
import type { Hall } from "../../lib/hall/hall";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";

export class UpdateStore {
  /** The last received state; `null` before the first response. */
  readonly known = new Store<UpdateState | null>(null);
  readonly #hall: Hall;
  /** Incremented to discard the responses of pending requests. */
  #turn = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onEvents((events, missed) => this.#take(events, missed));
  }

  #take(events: readonly HallEvent[], missed: boolean): void {
    const changed = events.findLast((event) => event.kind === "updates_changed");
    if (changed) {
      this.#turn += 1;
      this.known.set(changed.updates);
    } else if (missed) void this.#read();
  }

  async #read(): Promise<void> {
    this.#turn += 1;
    const mine = this.#turn;
    try {
      const known = await this.#hall.ask("updates", {});
      if (mine === this.#turn) this.known.set(known);
    } catch {
      // Without this state, the settings show no update controls, so the failure is not reported.
    }
  }
}

export const [UpdateStoreContext, useUpdateStore] = storeContext<UpdateStore>("useUpdateStore");
