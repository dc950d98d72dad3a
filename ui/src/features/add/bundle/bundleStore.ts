/** The state of the bundle tab: the opened bundle, and the progress of its install. */
import type { CallId, HallEvent, InstalledMcpb, MemberName, McpbLook, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { newCallId } from "../../../lib/callId";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";
import { Typed } from "../typed";

export interface BundlePreview {
  readonly path: string;
  /** The contents of the bundle; `null` until they are read. */
  readonly look: McpbLook | null;
  /** The error if the bundle can't be read. */
  readonly trouble: Report | null;
}

export interface Installing {
  readonly call: CallId;
  /** The number of bytes unpacked so far. */
  readonly done: number;
  /** The total number of bytes; 0 until it is known. */
  readonly of: number;
}

export class BundleStore {
  /** The chosen bundle; `null` until one is chosen. */
  readonly looked = new Store<BundlePreview | null>(null);
  readonly installing = new Store<Installing | null>(null);
  /** The error of the last install. */
  readonly refused = new Store<Report | null>(null);
  /** The user's input for installs. Each key begins with the digest of a bundle. */
  readonly typed = new Typed();
  readonly #hall: Hall;
  /** Incremented to discard the responses of pending requests. */
  #turn = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onEvents((events) => this.#take(events));
  }

  /** Reads the contents of a bundle. Writes no files and starts no processes. */
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

  /** Installs the bundle with the digest that was previewed. Returns `null` if the install failed or was cancelled. */
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
      // The user cancelled the install, so no error is shown.
      if (report.code === "call-cancelled") return null;
      // If another bundle is open by now, its form must not show this error, so the error becomes a notice of the
      // window.
      if (this.#isShown(digest)) this.refused.set(report);
      else this.#hall.tell(report);
      return null;
    } finally {
      this.installing.set(null);
    }
  }

  /** Cancels the running install. Has no effect once the files of the member are in place. */
  cancel(): void {
    const installing = this.installing.get();
    if (installing) this.#hall.ask("cancel_call", { call: installing.call }).catch(() => undefined);
  }

  /** Closes the opened bundle and forgets all input. */
  close(): void {
    this.typed.drop();
    this.#turn += 1;
    this.looked.set(null);
    this.refused.set(null);
  }

  /** Closes this bundle and forgets its input. Another bundle that was opened since stays open. */
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
