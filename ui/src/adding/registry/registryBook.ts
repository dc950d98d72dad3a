/** The window's state of a registry search, and of one server that it found. */
import type { CallId, HallEvent, RegistryLeftOut, RegistryRow, RegistryServer, RegistrySource, Report } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import type { Hall } from "../../hall/hall";
import { Store } from "../../hall/store";
import { newCallId } from "../../hall/workbench";
import { Typed } from "../typed";

/** How many servers are listed; of more, a search with more words finds them. */
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
  /** The request that is under way. */
  readonly call: CallId | null;
  /** The search ended before its first answer. */
  readonly cancelled: boolean;
}

/** The selected server. */
interface Looked {
  readonly server: string;
  /** The requested version; `null` is the newest. */
  readonly version: string | null;
  /** `null` until it is read. */
  readonly detail: RegistryServer | null;
  readonly trouble: Report | null;
}

const NO_SEARCH: Search = { query: "", source: null, rows: [], pages: 0, next: null, leftOut: [], leftOutCount: 0, trouble: null, call: null, cancelled: false };

export class RegistryBook {
  readonly search = new Store<Search>(NO_SEARCH);
  readonly looked = new Store<Looked | null>(null);
  /** What was typed before an install; its keys begin with the source and the server. */
  readonly typed = new Typed();
  /** The installs that are under way. */
  readonly trying = new Store<ReadonlySet<string>>(new Set());
  /** Why the last try of an install was refused: until it is tried again, or its server is closed. */
  readonly refused = new Store<ReadonlyMap<string, Report>>(new Map());
  readonly #hall: Hall;
  /** How many places on the screen show it. */
  #watched = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onEvents((events, missed) => this.#take(events, missed));
  }

  /** Searches whenever it is shown: another registry may be set by then. Cancels the search when nothing shows it. */
  watch(): () => void {
    this.#watched += 1;
    this.find(this.search.get().query);
    return () => {
      this.#watched -= 1;
      if (this.#watched === 0) this.cancel();
    };
  }

  /** Searches for servers with these words. The rows of the search before stay until there is an answer. */
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

  /** Ends the search that is under way. */
  cancel(): void {
    const { call } = this.search.get();
    if (call === null) return;
    this.search.update((search) => (search.pages > 0 ? { ...search, call: null } : { ...search, call: null, trouble: null, cancelled: true }));
    this.#hall.ask("cancel_call", { call }).catch(() => undefined);
  }

  /** Asks for this many pages, from the cursor on, and shows them together. */
  async #ask(from: string | null, count: number): Promise<void> {
    const call = newCallId();
    this.search.update((search) => ({ ...search, call }));
    // The answer to a search is ignored if another search began.
    const isStale = () => this.search.get().call !== call;
    const { query, source: before, ...loaded } = this.search.get();
    let { rows, leftOut, leftOutCount, pages } = from === null ? NO_SEARCH : loaded;
    // Pages of one search are of one registry.
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
      if (before !== null && before.source !== source.source) this.close();
      this.search.update((search) => ({ ...search, source, rows, pages, next, leftOut, leftOutCount, trouble: null, call: null }));
    } catch (reason) {
      if (!isStale()) this.search.update((search) => ({ ...search, trouble: asRefusal(reason).report, call: null }));
    }
  }

  /** Installs something, unless that is under way already. */
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

  /** Keeps why an install was refused; `null` forgets it. */
  refuse(what: string, why: Report | null): void {
    this.refused.update((refused) => {
      if (why === null && !refused.has(what)) return refused;
      const next = new Map(refused);
      if (why === null) next.delete(what);
      else next.set(what, why);
      return next;
    });
  }

  /** Looks at a server: in the version that is named, else in the one that was chosen of it before, else in its newest. */
  async look(server: string, named?: string): Promise<void> {
    const source = this.search.get().source?.source;
    if (source === undefined) return;
    const { versions } = this.typed;
    const key = `${source} ${server}`;
    if (named !== undefined) versions.set(key, named);
    const version = versions.get(key) ?? null;
    const before = this.looked.get();
    // Of the same server, what is shown stays until the other version is there.
    const detail = before?.server === server ? before.detail : null;
    const mine: Looked = { server, version, detail, trouble: null };
    this.looked.set(mine);
    const told = (looked: Partial<Looked>) => {
      if (this.looked.get() === mine) this.looked.set({ ...mine, ...looked });
    };
    try {
      told({ detail: await this.#hall.ask("registry_server", { source, server, version }) });
    } catch (reason) {
      // The registry may no longer list that version; the next request uses the newest.
      if (versions.get(key) === version) versions.delete(key);
      told({ detail: null, trouble: asRefusal(reason).report });
    }
  }

  /** Looks at no server any more. */
  close(): void {
    this.typed.drop();
    this.refused.set(new Map());
    this.looked.set(null);
  }

  #take(events: readonly HallEvent[], missed: boolean): void {
    // Which members were installed from an entry may have changed.
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
