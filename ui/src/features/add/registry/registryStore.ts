/** The window's state of a registry search, and of one server that it found. */
import type { CallId, HallEvent, RegistryLeftOut, RegistryRow, RegistryServer, RegistrySource, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { newCallId } from "../../../lib/callId";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";
import { Typed } from "../typed";

/** The maximum number of listed servers; a narrower search finds the others. */
export const ROWS_MAX = 500;

/** The key under which a refused install is kept, followed by the key of its form. */
export const INSTALL = "install ";

interface Search {
  readonly query: string;
  /** The registry that answered; `null` before the first answer. */
  readonly source: RegistrySource | null;
  readonly rows: readonly RegistryRow[];
  /** The pages of this query's answer that are loaded; with 0, the rows are the answer to an earlier query. */
  readonly pages: number;
  /** Where the next page begins; `null` after the last one. */
  readonly next: string | null;
  readonly leftOut: readonly RegistryLeftOut[];
  readonly leftOutCount: number;
  readonly trouble: Report | null;
  /** The running request. */
  readonly call: CallId | null;
  /** The search ended before its first answer. */
  readonly cancelled: boolean;
}

/** The selected server. */
interface ServerPreview {
  readonly server: string;
  /** The requested version; `null` is the newest. */
  readonly version: string | null;
  /** `null` until it is read. */
  readonly detail: RegistryServer | null;
  readonly trouble: Report | null;
}

const NO_SEARCH: Search = { query: "", source: null, rows: [], pages: 0, next: null, leftOut: [], leftOutCount: 0, trouble: null, call: null, cancelled: false };

export class RegistryStore {
  readonly search = new Store<Search>(NO_SEARCH);
  readonly looked = new Store<ServerPreview | null>(null);
  /** The input for an install; its keys begin with the source and the server. */
  readonly typed = new Typed();
  /** The running installs. */
  readonly trying = new Store<ReadonlySet<string>>(new Set());
  /** The last error of each install. Cleared by the next attempt, or when the user closes the server's page. */
  readonly refused = new Store<ReadonlyMap<string, Report>>(new Map());
  readonly #hall: Hall;
  /** The number of open views. */
  #watched = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onEvents((events, missed) => this.#take(events, missed));
  }

  /** Searches when a view opens, because the setting may name another registry. Cancels the search when the last view closes. */
  watch(): () => void {
    this.#watched += 1;
    this.find(this.search.get().query);
    return () => {
      this.#watched -= 1;
      if (this.#watched === 0) this.cancel();
    };
  }

  /** Searches for servers with these words. The previous rows stay until the answer arrives. */
  find(query: string): void {
    this.cancel();
    this.search.update((search) => ({ ...search, query, pages: 0, next: null, cancelled: false }));
    void this.#ask(null, 1);
  }

  /** Asks for the next page. */
  more(): void {
    const { next, call, rows } = this.search.get();
    if (next !== null && call === null && rows.length < ROWS_MAX) void this.#ask(next, 1);
  }

  /** Cancels the running search. */
  cancel(): void {
    const { call } = this.search.get();
    if (call === null) return;
    this.search.update((search) => (search.pages > 0 ? { ...search, call: null } : { ...search, call: null, trouble: null, cancelled: true }));
    this.#hall.ask("cancel_call", { call }).catch(() => undefined);
  }

  /** Requests this many pages from the cursor on, and shows them together. */
  async #ask(from: string | null, count: number): Promise<void> {
    const call = newCallId();
    this.search.update((search) => ({ ...search, call }));
    // The answer to a search is ignored if another search began.
    const isStale = () => this.search.get().call !== call;
    const { query, source: before, ...loaded } = this.search.get();
    let { rows, leftOut, leftOutCount, pages } = from === null ? NO_SEARCH : loaded;
    // All pages of a search come from one registry.
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

  /** Runs an install, unless it is running already. */
  async attempt(what: string, deed: () => Promise<void>): Promise<void> {
    if (this.trying.get().has(what)) return;
    this.refuse(what, null);
    this.trying.update((trying) => new Set(trying).add(what));
    try {
      await deed();
    } finally {
      this.trying.update((trying) => new Set([...trying].filter((one) => one !== what)));
    }
  }

  /** Stores the error of an install; `null` removes it. */
  refuse(what: string, why: Report | null): void {
    this.refused.update((refused) => {
      if (why === null && !refused.has(what)) return refused;
      const next = new Map(refused);
      if (why === null) next.delete(what);
      else next.set(what, why);
      return next;
    });
  }

  /** Opens a server in the given version, else in the last chosen one, else in the newest. */
  async look(server: string, named?: string): Promise<void> {
    const source = this.search.get().source?.source;
    if (source === undefined) return;
    const { versions } = this.typed;
    const key = `${source} ${server}`;
    if (named !== undefined) versions.set(key, named);
    const version = versions.get(key) ?? null;
    const before = this.looked.get();
    // Keep showing the same server until its other version arrives.
    const detail = before?.server === server ? before.detail : null;
    const mine: ServerPreview = { server, version, detail, trouble: null };
    this.looked.set(mine);
    const show = (looked: Partial<ServerPreview>) => {
      if (this.looked.get() === mine) this.looked.set({ ...mine, ...looked });
    };
    try {
      show({ detail: await this.#hall.ask("registry_server", { source, server, version }) });
    } catch (reason) {
      // The registry may no longer list that version; the next request uses the newest.
      if (versions.get(key) === version) versions.delete(key);
      show({ detail: null, trouble: asRefusal(reason).report });
    }
  }

  /** Closes the open server and forgets all input. */
  forget(): void {
    this.typed.drop();
    this.close();
  }

  /** Closes the open server. */
  close(): void {
    this.refused.set(new Map());
    this.looked.set(null);
  }

  #take(events: readonly HallEvent[], missed: boolean): void {
    // The members that were installed from an entry may have changed.
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
