/**
 * The list of past calls, newest first, read page by page. The engine sends an event for each recorded call, and the
 * list adds the call at the top without another request. With search words, the list is read again instead, because
 * only the engine can search in the call's result.
 */
import type { EntryId, HistoryEntry, HistoryFilter, HistoryPage, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Hall } from "../../lib/hall/hall";
import { Store } from "../../lib/store";
import { fits, NO_FILTER, sameFilter } from "./filter";

/** Maximum number of calls per request. */
export const PAGE = 200;
/** Maximum number of calls in memory. The user finds older calls with a filter. */
const HELD_MAX = 100_000;
/** The delay before the newest page is read again. Further events during the delay cause no additional read. */
const RENEW_MS = 300;

export interface Pages {
  /** The filter that the entries match. */
  readonly filter: HistoryFilter;
  /** The calls, newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Whether the history has older calls. */
  readonly more: boolean;
  readonly trouble: Report | null;
  /** Whether the first response has arrived. */
  readonly read: boolean;
  /** The page that is being read; `null` for none. */
  readonly reading: "newest" | "older" | null;
}

const NOTHING_YET: Pages = {
  filter: NO_FILTER,
  entries: [],
  more: false,
  trouble: null,
  read: false,
  reading: null,
};

/** The index of an entry in a list sorted by descending ID, or -1. */
export function placeOf(entries: readonly HistoryEntry[], id: EntryId): number {
  let low = 0;
  let high = entries.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = entries[middle]?.id ?? id;
    if (found === id) return middle;
    if (found > id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

export class CallLog {
  readonly pages = new Store<Pages>(NOTHING_YET);
  /** Calls that the user has just deleted. They are still in `pages`, but no list shows them. */
  readonly hidden = new Store<ReadonlySet<EntryId>>(new Set());

  readonly #hall: Hall;
  #wanted: HistoryFilter = NO_FILTER;
  /** Incremented when responses to earlier requests become obsolete. */
  #turn = 0;
  /** Calls that were recorded while the newest page was being read. */
  #arrived: HistoryEntry[] = [];
  /** Whether `#arrived` lacks calls that were recorded during the read. */
  #gap = false;
  /** Whether the top of the list is being read again. */
  #looking = false;
  #watchers = 0;
  #end: () => void = () => undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;

  constructor(hall: Hall) {
    this.#hall = hall;
  }

  /** Keeps the list current until the returned function is called. */
  watch(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1) {
      this.#end = this.#hall.onRecorded((entries, missed) => this.#arrive(entries, missed));
      void this.#readNewest();
    }
    return () => {
      this.#watchers -= 1;
      if (this.#watchers > 0) return;
      this.#end();
      clearTimeout(this.#renewal);
      this.#renewal = undefined;
    };
  }

  /** Applies another filter. The old entries stay until the response arrives. */
  setFilter(filter: HistoryFilter): void {
    if (sameFilter(filter, this.#wanted)) return;
    this.#wanted = filter;
    if (this.#watchers > 0) void this.#readNewest();
  }

  /** Reads the top of the list again. Calls of other programs, such as `guildhall call`, send no events. */
  lookAgain(): void {
    if (this.#watchers > 0) this.#renewSoon();
  }

  /** Reads the list again after calls were deleted. */
  renew(): void {
    if (this.#watchers > 0) void this.#readNewest();
  }

  /** Reads the next older page, unless another page is being read. */
  async older(): Promise<void> {
    const { entries, more, reading, filter } = this.pages.get();
    const last = entries.at(-1);
    if (!more || reading !== null || !last) return;
    const turn = this.#turn;
    this.#change({ reading: "older" });
    const page = await this.#ask(filter, last.id);
    if (turn !== this.#turn) return;
    // Entries may have been added at the top during the request.
    const now = this.pages.get().entries;
    const longer = [...now, ...page.entries].slice(0, HELD_MAX);
    this.#change({
      entries: longer,
      more: page.trouble === null ? page.more && longer.length < HELD_MAX : more,
      trouble: page.trouble,
      reading: null,
    });
  }

  hide(ids: readonly EntryId[]): void {
    this.hidden.update((hidden) => new Set([...hidden, ...ids]));
  }

  show(ids: readonly EntryId[]): void {
    this.hidden.update((hidden) => new Set([...hidden].filter((id) => !ids.includes(id))));
  }

  /** Removes a deleted call from the list. */
  forget(id: EntryId): void {
    const { entries } = this.pages.get();
    const place = placeOf(entries, id);
    if (place >= 0) this.#change({ entries: entries.filter((_, index) => index !== place) });
  }

  async #readNewest(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const filter = this.#wanted;
    this.#arrived = [];
    this.#gap = false;
    this.#change({ reading: "newest" });
    const page = await this.#ask(filter, null);
    if (turn !== this.#turn) return;
    const newest = page.entries[0]?.id ?? -1;
    const later = this.#arrived.filter(({ id }) => id > newest).sort((a, b) => b.id - a.id);
    const gap = this.#endReading();
    this.pages.set({
      filter,
      entries: [...later.filter((entry) => fits(entry, filter) === true), ...page.entries],
      more: page.more,
      trouble: page.trouble,
      read: true,
      reading: null,
    });
    if (gap || later.some((entry) => fits(entry, filter) === null)) this.#renewSoon();
  }

  /** Clears `#arrived`, and returns whether calls are missing. */
  #endReading(): boolean {
    this.#arrived = [];
    return this.#gap;
  }

  /** Reads the newest page again and replaces the top of the list with it. */
  async #readTop(): Promise<void> {
    const { reading, filter } = this.pages.get();
    if (reading !== null || this.#looking) {
      this.#renewSoon();
      return;
    }
    const turn = this.#turn;
    this.#looking = true;
    const page = await this.#ask(filter, null);
    this.#looking = false;
    if (turn !== this.#turn) return;
    const { entries } = this.pages.get();
    if (page.trouble !== null) {
      this.#change({ trouble: page.trouble });
      return;
    }
    const last = page.entries.at(-1);
    const place = last && page.more ? placeOf(entries, last.id) : -1;
    if (place >= 0) {
      this.#change({ entries: [...page.entries, ...entries.slice(place + 1)].slice(0, HELD_MAX), trouble: null });
      return;
    }
    // Either the page is the whole list, or calls may be missing between the page and the old entries. In both
    // cases, the old entries are dropped.
    this.#turn += 1;
    this.#change({ entries: page.entries, more: page.more, trouble: null, reading: null });
  }

  #arrive(entries: readonly HistoryEntry[], missed: boolean): void {
    const { reading, filter, trouble, entries: held } = this.pages.get();
    if (reading === "newest") {
      const all = [...this.#arrived, ...entries];
      this.#gap ||= missed || all.length > PAGE;
      // If calls are missing, the other arrived calls are dropped. Above a gap, they would look like a complete list.
      this.#arrived = this.#gap ? [] : all;
      return;
    }
    // Before the top is read again, calls may be missing, so an event must not add calls above the gap.
    const waits = this.#renewal !== undefined || this.#looking;
    if (missed || waits || trouble !== null || entries.some((entry) => fits(entry, filter) === null)) {
      this.#renewSoon();
      return;
    }
    const known = held[0]?.id ?? -1;
    const fresh = entries
      .filter((entry) => entry.id > known && fits(entry, filter) === true)
      .sort((a, b) => b.id - a.id);
    if (fresh.length > 0) this.#change({ entries: [...fresh, ...held].slice(0, HELD_MAX) });
  }

  #renewSoon(): void {
    this.#renewal ??= setTimeout(() => {
      this.#renewal = undefined;
      void this.#readTop();
    }, RENEW_MS);
  }

  #ask(filter: HistoryFilter, before: EntryId | null): Promise<HistoryPage> {
    return this.#hall
      .ask("search_history", { filter, before, limit: PAGE })
      .catch((reason: unknown): HistoryPage => ({ entries: [], more: false, trouble: asRefusal(reason).report }));
  }

  #change(changes: Partial<Pages>): void {
    this.pages.update((pages) => ({ ...pages, ...changes }));
  }
}
