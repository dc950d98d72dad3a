import type { EntryId, HistoryFilter, HistoryPage, Report } from "../../ipc/bindings";
import type { Hall } from "../../lib/hall/hall";

const PAGE = 500;
/** Counting stops when the count has reached this number. */
const COUNTED_MAX = 10_000;

export interface Count {
  readonly count: number;
  /** Whether more calls match than were counted. */
  readonly more: boolean;
  readonly trouble: Report | null;
}

/** Counts the calls that match a filter. Stops early when `wanted` returns false. */
export async function countCalls(hall: Hall, filter: HistoryFilter, wanted: () => boolean): Promise<Count> {
  let count = 0;
  let before: EntryId | null = null;
  for (;;) {
    const page: HistoryPage = await hall.ask("search_history", { filter, before, limit: PAGE });
    count += page.entries.length;
    const last = page.entries.at(-1);
    if (page.trouble !== null || !page.more || !last || !wanted()) return { count, more: false, trouble: page.trouble };
    if (count >= COUNTED_MAX) return { count, more: true, trouble: null };
    before = last.id;
  }
}
