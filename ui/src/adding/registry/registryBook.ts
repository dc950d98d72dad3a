/** What the window knows of MCP registries: a search in one of them, and one server of it. */
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
  /** Where the next page begins; `null` after the last one. */
  readonly next: string | null;
  readonly leftOut: readonly RegistryLeftOut[];
  readonly leftOutCount: number;
  readonly trouble: Report | null;
  /** The request that is under way. */
  readonly call: CallId | null;
}

/** The server that is looked at. */
interface Looked {
  readonly server: string;
  /** The version that was asked for; `null` is the newest. */
  readonly version: string | null;
  /** `null` until it is told. */
  readonly detail: RegistryServer | null;
  readonly trouble: Report | null;
}

const NO_SEARCH: Search = { query: "", source: null, rows: [], next: null, leftOut: [], leftOutCount: 0, trouble: null, call: null };

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

  /** Searches whenever it is shown: another registry may be set by then. */
  watch(): () => void {
    this.#watched += 1;
    this.find(this.search.get().query);
    return () => {
      this.#watched -= 1;
    };
  }

  /** Searches for servers with these words. The rows of the search before stay until there is an answer. */
  find(query: string): void {
    this.cancel();
    this.search.update((search) => ({ ...search, query }));
    void this.#ask(null);
  }

  /** Asks for the next page. */
  more(): void {
    const { next, call, rows } = this.search.get();
    if (next !== null && call === null && rows.length < ROWS_MAX) void this.#ask(next);
  }

  /** Ends the search that is under way. */
  cancel(): void {
    const { call } = this.search.get();
    if (call === null) return;
    this.search.update((search) => ({ ...search, call: null }));
    this.#hall.ask("cancel_call", { call }).catch(() => undefined);
  }

  async #ask(cursor: string | null): Promise<void> {
    const call = newCallId();
    this.search.update((search) => ({ ...search, call }));
    // An answer that is no longer waited for is stale.
    const take = (change: (search: Search) => Search) =>
      this.search.update((search) => (search.call === call ? { ...change(search), call: null } : search));
    try {
      const { query, source: before } = this.search.get();
      // Pages of one search are of one registry.
      const source = cursor === null ? null : (before?.source ?? null);
      const page = await this.#hall.ask("search_registry", { source, query, cursor, call });
      const isOther = before !== null && before.source !== page.source.source;
      if (isOther && this.search.get().call === call) this.close();
      take((search) => {
        const first = cursor === null;
        return {
          ...search,
          source: page.source,
          rows: first ? page.rows : [...search.rows, ...page.rows],
          next: page.next,
          leftOut: first ? page.leftOut : [...search.leftOut, ...page.leftOut].slice(0, 100),
          leftOutCount: page.leftOutCount + (first ? 0 : search.leftOutCount),
          trouble: null,
        };
      });
    } catch (reason) {
      take((search) => ({ ...search, trouble: asRefusal(reason).report }));
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
      // It may be listed no more; whoever looks again is shown the newest.
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
    this.find(this.search.get().query);
    const looked = this.looked.get();
    if (looked) void this.look(looked.server, looked.trouble === null ? (looked.version ?? undefined) : undefined);
  }
}
