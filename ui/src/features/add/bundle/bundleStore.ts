/** The opened bundle, and the progress of its install. */
import type { CallId, HallEvent, InstalledMcpb, MemberName, McpbLook, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { newCallId } from "../../../lib/callId";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";
import { Typed } from "../typed";

export interface BundlePreview {
  readonly path: string;
  /** The bundle's contents; `null` until they are read. */
  readonly look: McpbLook | null;
  /** The error if it can't be used. */
  readonly trouble: Report | null;
}

export interface Installing {
  readonly call: CallId;
  /** The number of unpacked bytes. */
  readonly done: number;
  /** The total; 0 until it is known. */
  readonly of: number;
}

export class BundleStore {
  /** `null` until a bundle is chosen. */
  readonly looked = new Store<BundlePreview | null>(null);
  readonly installing = new Store<Installing | null>(null);
  /** The error of the last install. */
  readonly refused = new Store<Report | null>(null);
  /** The input for an install; its keys begin with a bundle's digest. */
  readonly typed = new Typed();
  readonly #hall: Hall;
  /** Incremented to discard pending answers. */
  #turn = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onEvents((events) => this.#take(events));
  }

  /** Reads a bundle. Writes and starts nothing. */
  async look(path: string): Promise<void> {
    this.#turn += 1;
    const mine = this.#turn;
    this.refused.set(null);
    this.looked.set({ path, look: null, trouble: null });
    const show = (look: McpbLook | null, trouble: Report | null) => {
      if (mine === this.#turn) this.looked.set({ path, look, trouble });
    };
    try {
      show(await this.#hall.ask("look_into_mcpb", { path }), null);
    } catch (reason) {
      show(null, asRefusal(reason).report);
    }
  }

  /** Installs the bundle exactly as it was shown. Returns `null` if that failed or was cancelled. */
  async install(look: McpbLook, member: MemberName, update: boolean, answers: string): Promise<InstalledMcpb | null> {
    if (this.installing.get() !== null) return null;
    const call = newCallId();
    this.installing.set({ call, done: 0, of: 0 });
    this.refused.set(null);
    const { path, digest } = look;
    try {
      return await this.#hall.ask("install_mcpb", { call, path, digest, member, update, answers });
    } catch (reason) {
      const { report } = asRefusal(reason);
      // The user cancelled it.
      if (report.code === "call-cancelled") return null;
      // A form of another bundle would show the error as its own.
      if (this.#isShown(digest)) this.refused.set(report);
      else this.#hall.tell(report);
      return null;
    } finally {
      this.installing.set(null);
    }
  }

  /** Cancels the install if the member isn't in place yet. */
  cancel(): void {
    const installing = this.installing.get();
    if (installing) this.#hall.ask("cancel_call", { call: installing.call }).catch(() => undefined);
  }

  /** Closes the bundle and forgets all input. */
  close(): void {
    this.typed.drop();
    this.#turn += 1;
    this.looked.set(null);
    this.refused.set(null);
  }

  /** Closes the bundle, unless another one was opened since. */
  forget({ digest }: McpbLook): void {
    this.typed.drop(digest);
    if (!this.#isShown(digest)) return;
    this.#turn += 1;
    this.looked.set(null);
    this.refused.set(null);
  }

  #isShown(digest: string): boolean {
    return this.looked.get()?.look?.digest === digest;
  }

  #take(events: readonly HallEvent[]): void {
    const installing = this.installing.get();
    const news = events.findLast((event) => event.kind === "unpacking" && event.call === installing?.call);
    if (installing && news?.kind === "unpacking") this.installing.set({ ...installing, done: news.done, of: news.of });
  }
}

export const [BundleStoreContext, useBundleStore] = storeContext<BundleStore>("useBundleStore");
