/** What the window knows of MCP registries: their sources, a search in one of them, and one server of it. */
import type { CallId, HallEvent, RegistryPage, RegistryRow, RegistryServer, RegistrySource, Report } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import type { Hall } from "../../hall/hall";
import { Store } from "../../hall/store";
import { newCallId } from "../../hall/workbench";
import { Typed } from "../typed";

/** So many rows are asked for at once. */
const PAGE_ROWS = 100;

/** How what was refused is called: an install of what was typed for it, a source that was named, one to be removed. */
export const INSTALL = "install ";
export const ADD = "add";
export const REMOVE = "remove ";

/** The servers that fit some words, as far as they were asked for. */
interface Search {
  readonly query: string;
  /** What was told with the newest page; `null` before the first. */
  readonly page: Omit<RegistryPage, "rows"> | null;
  readonly rows: ReadonlyMap<number, RegistryRow>;
  readonly trouble: Report | null;
}

/** A source that is being read from where it is. */
interface Reading {
  readonly source: string;
  readonly call: CallId;
  /** How far it is, in words; empty at first. */
  readonly says: string;
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

const NO_SEARCH: Search = { query: "", page: null, rows: new Map(), trouble: null };

export class RegistryBook {
  /** The sources that a person named; `null` until they are told. */
  readonly sources = new Store<readonly RegistrySource[] | null>(null);
  /** Why the sources could not be told. */
  readonly trouble = new Store<Report | null>(null);
  /** The source that is searched. */
  readonly chosen = new Store<string | null>(null);
  readonly search = new Store<Search>(NO_SEARCH);
  readonly reading = new Store<Reading | null>(null);
  /** Why the last reading failed. */
  readonly unread = new Store<Report | null>(null);
  readonly looked = new Store<Looked | null>(null);
  /** What was typed before an install; its keys begin with the source and the server. */
  readonly typed = new Typed();
  /** The source that is being named, as far as it was typed; `null` while none is. */
  readonly naming = new Store<string | null>(null);
  /** What is being tried, called as what is refused: whoever comes back to it finds it so. */
  readonly trying = new Store<ReadonlySet<string>>(new Set());
  /** Why the last try of something was refused, by what was tried: until it is tried again, or has gone. */
  readonly refused = new Store<ReadonlyMap<string, Report>>(new Map());
  readonly #hall: Hall;
  /** Grows with each other search; an answer to an older one is not taken in. */
  #turn = 0;
  /** The pages of this search that were asked for. */
  #asked = new Set<number>();
  /** How many places on the screen show it. */
  #watched = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onEvents((events, missed) => this.#take(events, missed));
  }

  /** Reads the sources, and what is known of the one that is chosen, while they are shown. */
  watch(): () => void {
    this.#watched += 1;
    void this.#read();
    return () => {
      this.#watched -= 1;
    };
  }

  async #read(): Promise<void> {
    try {
      const { sources } = await this.#hall.ask("registry_sources", {});
      this.#know(sources);
    } catch (reason) {
      this.trouble.set(asRefusal(reason).report);
    }
  }

  #know(sources: readonly RegistrySource[]): void {
    this.sources.set(sources);
    this.trouble.set(null);
    const chosen = this.chosen.get();
    const still = sources.some(({ source }) => source === chosen);
    if (!still) this.choose(sources[0]?.source ?? null);
    else this.find(this.search.get().query);
  }

  /** Searches another source. */
  choose(source: string | null): void {
    if (source !== this.chosen.get()) {
      this.chosen.set(source);
      this.close();
      this.unread.set(null);
      this.search.set({ ...NO_SEARCH, query: this.search.get().query });
    }
    this.find(this.search.get().query);
  }

  /** Remembers a source, and searches it; an address is read. Why not, where it is none. */
  async add(source: string): Promise<Report | null> {
    const typed = this.naming.get();
    const before = new Set(this.sources.get()?.map((known) => known.source));
    return this.#change("add_registry_source", source, (sources) => {
      // What was typed meanwhile is another source.
      if (this.naming.get() === typed) this.name(null);
      const added = sources.find((known) => !before.has(known.source)) ?? sources.find((known) => known.source === source);
      if (!added) return;
      this.choose(added.source);
      if (!added.isFile && added.asOfMs === null) void this.read(false);
    });
  }

  /** Forgets a source, and what was read of it. */
  remove(source: string): Promise<Report | null> {
    return this.#change("remove_registry_source", source, () => undefined);
  }

  async #change(
    command: "add_registry_source" | "remove_registry_source",
    source: string,
    then: (sources: readonly RegistrySource[]) => void,
  ): Promise<Report | null> {
    try {
      const { sources } = await this.#hall.ask(command, { source });
      this.#know(sources);
      then(sources);
      return null;
    } catch (reason) {
      return asRefusal(reason).report;
    }
  }

  /** Opens or closes the form that names another source. */
  name(source: string | null): void {
    if (source === null) this.refuse(ADD, null);
    this.naming.set(source);
  }

  /** Tries something, unless that is under way already; says whether it was done. Refusals are the caller's to keep. */
  async attempt(what: string, deed: () => Promise<Report | null>): Promise<boolean> {
    if (this.trying.get().has(what)) return false;
    this.refuse(what, null);
    this.trying.update((trying) => new Set(trying).add(what));
    try {
      return (await deed()) === null;
    } finally {
      this.trying.update((trying) => new Set([...trying].filter((one) => one !== what)));
    }
  }

  /** Keeps why something was refused; `null` forgets it. */
  refuse(what: string, why: Report | null): void {
    this.refused.update((refused) => {
      if (why === null && !refused.has(what)) return refused;
      const next = new Map(refused);
      if (why === null) next.delete(what);
      else next.set(what, why);
      return next;
    });
  }

  /** Reads the chosen source from where it is, unless one is being read. */
  async read(anew: boolean): Promise<void> {
    const source = this.chosen.get();
    if (source === null || this.reading.get() !== null) return;
    const call = newCallId();
    this.reading.set({ source, call, says: "" });
    this.unread.set(null);
    try {
      await this.#hall.ask("read_registry", { source, call, anew });
    } catch (reason) {
      const { report } = asRefusal(reason);
      // That a person ended it they know.
      if (report.code !== "call-cancelled") {
        if (this.chosen.get() === source) this.unread.set(report);
        else this.#hall.tell(report);
      }
    } finally {
      this.reading.set(null);
    }
    await this.#read();
  }

  /** Ends the reading; what was read before stays. */
  cancel(): void {
    const reading = this.reading.get();
    if (reading) this.#hall.ask("cancel_call", { call: reading.call }).catch(() => undefined);
  }

  /** Looks for servers with these words; what is shown stays until there is an answer. */
  find(query: string): void {
    this.#turn += 1;
    this.#asked = new Set();
    this.search.update((search) => ({ ...search, query }));
    if (this.chosen.get() !== null) void this.#ask(0);
  }

  /** Asks for the rows of a range that are not there yet. */
  need(first: number, last: number): void {
    const { page } = this.search.get();
    if (!page) return;
    const end = Math.min(last, page.total - 1);
    for (let at = Math.floor(first / PAGE_ROWS); at <= Math.floor(end / PAGE_ROWS); at += 1) {
      if (!this.#asked.has(at)) void this.#ask(at);
    }
  }

  async #ask(at: number): Promise<void> {
    const turn = this.#turn;
    const source = this.chosen.get();
    if (source === null) return;
    this.#asked.add(at);
    const offset = at * PAGE_ROWS;
    const { query } = this.search.get();
    try {
      const { rows: told, ...page } = await this.#hall.ask("search_registry", { source, query, offset, limit: PAGE_ROWS });
      if (turn !== this.#turn) return;
      this.search.update((search) => {
        // The first page of a search takes the place of all rows of the one before.
        const rows = new Map(at === 0 ? [] : search.rows);
        told.forEach((row, index) => rows.set(offset + index, row));
        return { query, page, rows, trouble: null };
      });
    } catch (reason) {
      if (turn !== this.#turn) return;
      this.#asked.delete(at);
      this.search.update((search) => ({ ...search, trouble: asRefusal(reason).report }));
    }
  }

  /** Looks at a server: in the version that is named, else in the one that was chosen of it before, else in its newest. */
  async look(server: string, named?: string): Promise<void> {
    const source = this.chosen.get();
    if (source === null) return;
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
    this.refused.update((refused) => new Map([...refused].filter(([what]) => !what.startsWith(INSTALL))));
    this.looked.set(null);
  }

  #take(events: readonly HallEvent[], missed: boolean): void {
    const reading = this.reading.get();
    const progress = events.findLast((event) => event.kind === "call_progress" && event.call === reading?.call);
    if (reading && progress?.kind === "call_progress") this.reading.set({ ...reading, says: progress.progress.message ?? "" });
    // Which members were installed from an entry may have changed.
    const concerns = missed || events.some(({ kind }) => kind === "member_added" || kind === "member_removed");
    if (!concerns || this.#watched === 0 || this.sources.get() === null) return;
    this.find(this.search.get().query);
    const looked = this.looked.get();
    if (looked) void this.look(looked.server, looked.trouble === null ? (looked.version ?? undefined) : undefined);
  }
}
