/** The state of a registry search, and of the server whose details are open. */
import type { CallId, HallEvent, RegistryLeftOut, RegistryRow, RegistryServer, RegistrySource, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { newCallId } from "../../../lib/callId";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";
import { Typed } from "../typed";

/** The maximum number of listed servers. Users can narrow the search to find other servers. */
export const ROWS_MAX = 500;

/** The prefix of the keys under which the errors of installs are stored. The key of the form follows. */
export const INSTALL = "install ";

interface Search {
  readonly query: string;
  /** The registry that responded; `null` before the first response. */
  readonly source: RegistrySource | null;
  readonly rows: readonly RegistryRow[];
  /** The number of loaded pages for this query. If 0, the rows are from an earlier query. */
  readonly pages: number;
  /** The cursor of the next page; `null` after the last page. */
  readonly next: string | null;
  readonly leftOut: readonly RegistryLeftOut[];
  readonly leftOutCount: number;
  readonly trouble: Report | null;
  /** The id of the running request; `null` if no request is running. */
  readonly call: CallId | null;
  /** Whether the search was cancelled before its first response. */
  readonly cancelled: boolean;
}

/** The server whose details are open. */
interface ServerPreview {
  readonly server: string;
  /** The requested version; `null` for the newest one. */
  readonly version: string | null;
  /** The details of the server; `null` until they are read. */
  readonly detail: RegistryServer | null;
  readonly trouble: Report | null;
}

const NO_SEARCH: Search = { query: "", source: null, rows: [], pages: 0, next: null, leftOut: [], leftOutCount: 0, trouble: null, call: null, cancelled: false };

export class RegistryStore {
  readonly search = new Store<Search>(NO_SEARCH);
  readonly looked = new Store<ServerPreview | null>(null);
  /** The user's input for installs. Each key begins with the registry and the server. */
  readonly typed = new Typed();
  /** The keys of the running installs. */
  readonly trying = new Store<ReadonlySet<string>>(new Set());
  /**
   * The last error of each install. The error is cleared by the next attempt and when the user closes the server's
   * details.
   */
  readonly refused = new Store<ReadonlyMap<string, Report>>(new Map());
  readonly #hall: Hall;
  /** The number of views that show the search. */
  #watched = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onEvents((events, missed) => this.#take(events, missed));
  }

  /**
   * Starts a search when a view opens, because the settings may name another registry by now. Cancels the search
   * when the last view closes.
   */
  watch(): () => void {
    this.#watched += 1;
    this.find(this.search.get().query);
    return () => {
      this.#watched -= 1;
      if (this.#watched === 0) this.cancel();
    };
  }

  /** Searches the registry. The previous rows stay visible until the response arrives. */
  find(query: string): void {
    this.cancel();
    this.search.update((search) => ({ ...search, query, pages: 0, next: null, cancelled: false }));
    void this.#ask(null, 1);
  }

  more(): void {
    const { next, call, rows } = this.search.get();
    if (next !== null && call === null && rows.length < ROWS_MAX) void this.#ask(next, 1);
  }

  cancel(): void {
    const { call } = this.search.get();
    if (call === null) return;
    this.search.update((search) => (search.pages > 0 ? { ...search, call: null } : { ...search, call: null, trouble: null, cancelled: true }));
    this.#hall.ask("cancel_call", { call }).catch(() => undefined);
  }

  /** Requests `count` pages, starting at the cursor `from`, and shows all of them at once. */
  async #ask(from: string | null, count: number): Promise<void> {
    const call = newCallId();
    this.search.update((search) => ({ ...search, call }));
    // The response is discarded if another search has been started since the request.
    const isStale = () => this.search.get().call !== call;
    const { query, source: before, ...loaded } = this.search.get();
    let { rows, leftOut, leftOutCount, pages } = from === null ? NO_SEARCH : loaded;
    // Further pages come from the registry that returned the first page.
    let source = from === null ? null : before;
    let next = from;
    try {
      do {
        const cursor: string | null = next;
        const page = await this.#hall.ask("search_registry", { source: source?.source ?? null, query, cursor, call });
        if (isStale()) return;
        ({ source, next } = page);
        rows = [...rows, ...page.rows];
        if (rows.length > ROWS_MAX) {
          rows = rows.slice(0, ROWS_MAX);
          next = cursor;
        }
        leftOut = [...leftOut, ...page.leftOut].slice(0, 100);
        leftOutCount += page.leftOutCount;
        pages += 1;
        count -= 1;
      } while (next !== null && count > 0 && rows.length < ROWS_MAX);
      if (before !== null && before.source !== source.source) this.forget();
      this.search.update((search) => ({ ...search, source, rows, pages, next, leftOut, leftOutCount, trouble: null, call: null }));
    } catch (reason) {
      if (!isStale()) this.search.update((search) => ({ ...search, trouble: asRefusal(reason).report, call: null }));
    }
  }

  /** Runs an install under the key `what`, unless an install with the same key is running. */
  async attempt(what: string, operation: () => Promise<void>): Promise<void> {
    if (this.trying.get().has(what)) return;
    this.refuse(what, null);
    this.trying.update((trying) => new Set(trying).add(what));
    try {
      await operation();
    } finally {
      this.trying.update((trying) => new Set([...trying].filter((one) => one !== what)));
    }
  }

  /** Stores the error of an install; `null` removes the error. */
  refuse(what: string, why: Report | null): void {
    this.refused.update((refused) => {
      if (why === null && !refused.has(what)) return refused;
      const next = new Map(refused);
      if (why === null) next.delete(what);
      else next.set(what, why);
      return next;
    });
  }

  /** Opens the details of a server: the version `named`, or else the version chosen last, or else the newest one. */
  async look(server: string, named?: string): Promise<void> {
    const source = this.search.get().source?.source;
    if (source === undefined) return;
    const { versions } = this.typed;
    const key = `${source} ${server}`;
    if (named !== undefined) versions.set(key, named);
    const version = versions.get(key) ?? null;
    const before = this.looked.get();
    // While another version of the same server is loading, the previous details stay visible.
    const detail = before?.server === server ? before.detail : null;
    const mine: ServerPreview = { server, version, detail, trouble: null };
    this.looked.set(mine);
    const show = (looked: Partial<ServerPreview>) => {
      if (this.looked.get() === mine) this.looked.set({ ...mine, ...looked });
    };
    try {
      show({ detail: await this.#hall.ask("registry_server", { source, server, version }) });
    } catch (reason) {
      // The registry may no longer have that version, so the next request asks for the newest one.
      if (versions.get(key) === version) versions.delete(key);
      show({ detail: null, trouble: asRefusal(reason).report });
    }
  }

  /** Closes the open server and forgets all input. */
  forget(): void {
    this.typed.drop();
    this.close();
  }

  close(): void {
    this.refused.set(new Map());
    this.looked.set(null);
  }

  #take(events: readonly HallEvent[], missed: boolean): void {
    // Added and removed members can change the `installed` labels of rows and details, so both are read again.
    const concerns = missed || events.some(({ kind }) => kind === "member_added" || kind === "member_removed");
    if (!concerns || this.#watched === 0) return;
    const { pages, cancelled } = this.search.get();
    if (!cancelled) {
      this.cancel();
      this.search.update((search) => ({ ...search, cancelled: false }));
      void this.#ask(null, Math.max(1, pages));
    }
    const looked = this.looked.get();
    if (looked) void this.look(looked.server, looked.trouble === null ? (looked.version ?? undefined) : undefined);
  }
}

export const [RegistryStoreContext, useRegistryStore] = storeContext<RegistryStore>("useRegistryStore");
