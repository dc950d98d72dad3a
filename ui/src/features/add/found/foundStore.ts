/** The state of the servers found in other apps' files. No server runs before it is imported. */
import type { FoundServers, HallEvent, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { errorOf } from "../../../lib/errorOf";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";
import { ServerSelection } from "./selection";

export class FoundStore {
  /** The last received list; `null` before the first response. */
  readonly known = new Store<FoundServers | null>(null);
  /** The error of the last read. */
  readonly trouble = new Store<Report | null>(null);
  /** The number of servers that no member runs. It is kept up to date even while the list is not shown. */
  readonly count = new Store(0);
  readonly selection: ServerSelection;
  readonly #hall: Hall;
  /** Incremented to discard the responses of pending requests. */
  #turn = 0;
  #reading = false;
  /** The number of views that show the list. */
  #watched = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    this.selection = new ServerSelection((servers) => hall.ask("adopt_servers", { servers }));
    hall.onEvents((events, missed) => this.#take(events, missed));
  }

  /** Reads the list, and reads it again after relevant events until the returned function is called. */
  watch(): () => void {
    this.#watched += 1;
    void this.read();
    return () => {
      this.#watched -= 1;
    };
  }

  /** Like `watch`, but does not read the list at first. */
  follow(): () => void {
    this.#watched += 1;
    return () => {
      this.#watched -= 1;
    };
  }

  /** Reads the list. If a read is already running, a second one follows it. */
  async read(): Promise<void> {
    this.#turn += 1;
    if (this.#reading) return;
    this.#reading = true;
    try {
      let mine: number;
      do {
        mine = this.#turn;
        const known = await this.#hall.ask("found_servers", {});
        if (mine === this.#turn) this.#know(known);
      } while (mine !== this.#turn);
    } catch (reason) {
      this.trouble.set(asRefusal(reason).report);
    } finally {
      this.#reading = false;
    }
  }

  /** Called after all selected servers were imported. Forgets the selection and the outcomes. */
  finish(): void {
    this.selection.reset();
  }

  /** Adds a folder or a workspace file to the searched locations. Returns the error if the request failed. */
  lookIn(folder: string): Promise<Report | null> {
    return this.#change("look_for_servers", folder);
  }

  /** Removes a folder from the searched locations. Returns the error if the request failed. */
  forget(folder: string): Promise<Report | null> {
    return this.#change("forget_found_folder", folder);
  }

  #change(command: "look_for_servers" | "forget_found_folder", folder: string): Promise<Report | null> {
    return errorOf(async () => {
      const known = await this.#hall.ask(command, { folder });
      this.#turn += 1;
      this.#know(known);
    });
  }

  #take(events: readonly HallEvent[], missed: boolean): void {
    const changed = events.findLast((event) => event.kind === "found_changed");
    if (changed) this.count.set(changed.new);
    const isShown = this.#watched > 0;
    // If nothing was read yet, missed events cause no read: the first read waits until the window is painted.
    const isStale = missed && this.known.get() !== null;
    if (isStale || (isShown && changed) || events.some((event) => this.#concerns(event, isShown))) void this.read();
  }

  /**
   * Whether an event can change the list: a found server may have become a member, or its member may have been removed.
   */
  #concerns(event: HallEvent, isShown: boolean): boolean {
    if (event.kind === "member_added") return isShown || this.known.get() !== null;
    if (event.kind !== "member_removed") return false;
    return this.known.get()?.servers.some(({ state }) => state.kind === "adopted" && state.member === event.member) ?? false;
  }

  #know(known: FoundServers): void {
    this.known.set(known);
    this.count.set(known.new);
    this.trouble.set(null);
    this.selection.deselectStale(known.servers);
  }
}

export const [FoundStoreContext, useFoundStore] = storeContext<FoundStore>("useFoundStore");
