import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";

import type { LogFilter, LogLine, LogPage, MemberName, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Hall } from "../../lib/hall/hall";
import { emptyLog, fits, LINES_MAX, withEarlier, withLines, type Log } from "./lines";

/** Maximum number of lines per request. */
const PAGE = 1_000;
/** A search stops after this number of additional matches, until the user continues it. */
const FOUND_PAGE = 500;
/** Maximum number of lines in memory while automatic scrolling is off or a filter is set. */
export const HELD_MAX = 100_000;

const EVERYTHING: LogFilter = { contains: "", start: null };

/** The state of reading older lines. */
interface Reach {
  /** The `seq` of the log's very first line; `null` until it was read, -1 for a log without lines. */
  first: number | null;
  known: boolean;
  reading: boolean;
  problem: Report | null;
}

const UNREAD: Reach = { first: null, known: false, reading: false, problem: null };

/** A search in the log files among lines that are older than the lines in memory. */
interface Search {
  filter: LogFilter;
  found: readonly LogLine[];
  /** The `seq` before which the search continues; `null` if it has reached the beginning of the log. */
  before: number | null;
  /** The share of the log files that the search has read, from 0 to 1. */
  share: number;
  reading: boolean;
}

export interface OpenLog {
  /** All lines in memory, regardless of the filter. */
  log: Log;
  /** The lines that match the filter, including older lines that a search found. */
  lines: readonly LogLine[];
  hasEarlier: boolean;
  /** Whether the log has earlier lines that cannot be read because `HELD_MAX` lines are in memory. */
  isFull: boolean;
  /** Whether the first read has ended, with or without an error. */
  known: boolean;
  /** Whether older lines are being read. */
  reading: boolean;
  /** The share of the log files that the search has read, from 0 to 1. */
  share: number;
  problem: Report | null;
  /** Reads older lines or, with a filter, continues the search. */
  readEarlier: () => void;
  /** Cancels the current read or search. */
  stop: () => void;
}

/**
 * A member's stderr while its log is open: new lines when they arrive, and older lines from the log files when they are
 * requested. With a filter, this hook filters the lines in memory. The engine searches the older lines, page by page,
 * until enough lines match.
 *
 * With `holding`, older lines stay in memory when new lines arrive, up to `HELD_MAX` instead of `LINES_MAX`.
 */
export function useLog(hall: Hall, member: MemberName, filter: LogFilter, holding: boolean): OpenLog {
  const [log, setLog] = useState<Log>(emptyLog);
  const [reach, setReach] = useState<Reach>(UNREAD);
  const [searched, setSearched] = useState<Search | null>(null);
  const isFiltered = filter.contains !== "" || filter.start !== null;
  /** The number of the current read. Responses to reads with a lower number are discarded. */
  const turn = useRef(0);
  const latest = useRef({ log, reach, max: LINES_MAX });
  // A layout effect updates the ref before the user can press a button of the new rendering.
  useLayoutEffect(() => {
    latest.current = { log, reach, max: holding || isFiltered ? HELD_MAX : LINES_MAX };
  });

  const take = useCallback((page: LogPage) => {
    setLog((now) => withEarlier(now, page.lines));
    const first = page.before === null ? (page.lines[0]?.seq ?? latest.current.log.lines[0]?.seq ?? -1) : null;
    setReach((now) => ({ ...now, first, known: true, reading: false, problem: page.problem }));
  }, []);
  const fail = useCallback((reason: unknown) => {
    setReach((now) => ({ ...now, known: true, reading: false, problem: asRefusal(reason).report }));
  }, []);

  useEffect(() => {
    let wanted = true;
    // Subscribe before the first read, so that no line between the read and the subscription is lost.
    const end = hall.onLines(member, (lines, skipped) =>
      setLog((now) => withLines(now, lines, skipped, latest.current.max)),
    );
    readBefore(hall, member, null, () => wanted).then(
      (page) => wanted && take(page),
      (reason: unknown) => wanted && fail(reason),
    );
    return () => {
      wanted = false;
      end();
    };
  }, [hall, member, take, fail]);

  const readEarlier = useCallback(async () => {
    const before = latest.current.log.lines[0]?.seq ?? null;
    const mine = (turn.current += 1);
    setReach((now) => ({ ...now, reading: true, problem: null }));
    try {
      const page = await readBefore(hall, member, before, () => mine === turn.current);
      if (mine === turn.current) take(page);
    } catch (reason) {
      if (mine === turn.current) fail(reason);
    }
  }, [hall, member, take, fail]);

  const search = useCallback(
    async (begun: Search) => {
      const mine = (turn.current += 1);
      const until = begun.found.length + FOUND_PAGE;
      let now = begun;
      setSearched(now);
      try {
        while (now.reading) {
          const page = await hall.ask("read_member_log", { member, before: now.before, filter: begun.filter, limit: PAGE });
          if (mine !== turn.current) return;
          const found = [...page.lines, ...now.found];
          const reading = page.before !== null && found.length < until;
          now = { ...now, found, before: page.before, share: shareOf(page), reading };
          setSearched(now);
          setReach((before) => ({ ...before, problem: page.problem }));
        }
      } catch (reason) {
        if (mine !== turn.current) return;
        setSearched({ ...now, reading: false });
        fail(reason);
      }
    },
    [hall, member, fail],
  );

  // The engine searches only before the first line in memory, because this hook filters the lines in memory.
  const { known } = reach;
  useEffect(() => {
    if (!known) return undefined;
    if (isFiltered && !reachesBack(latest.current.log, latest.current.reach)) {
      const before = latest.current.log.lines[0]?.seq ?? null;
      void search({ filter, found: [], before, share: 0, reading: true });
    }
    return () => {
      turn.current += 1;
      // The response to the current read will be discarded, so `reading` must be reset here.
      setReach((now) => (now.reading ? { ...now, reading: false } : now));
    };
  }, [known, isFiltered, filter, search]);

  /** The search with the current filter; `null` if the last search had another filter. */
  const current = isFiltered && searched?.filter === filter ? searched : null;
  const found = current?.found;
  const lines = useMemo(
    () => (isFiltered ? [...(found ?? []), ...log.lines.filter((line) => fits(line, filter))] : log.lines),
    [isFiltered, found, log.lines, filter],
  );
  const older = isFiltered ? current !== null && current.before !== null : !reachesBack(log, reach);
  const reading = isFiltered ? (current?.reading ?? false) : reach.reading;
  const isFull = log.lines.length + (found?.length ?? 0) >= HELD_MAX;
  return {
    log,
    lines,
    hasEarlier: known && older && !isFull,
    isFull: known && older && isFull,
    known,
    reading,
    share: current?.share ?? 0,
    problem: reach.problem,
    readEarlier: () => {
      if (reading) return;
      if (!isFiltered) void readEarlier();
      else if (current) void search({ ...current, reading: true });
    },
    stop: () => {
      turn.current += 1;
      if (current) setSearched({ ...current, reading: false });
      setReach((now) => ({ ...now, reading: false }));
    },
  };
}

/**
 * Reads the lines before the line whose `seq` is `from`, or the newest lines for `null`. A page without lines may not
 * be the last, so further pages are requested while `isWanted` returns true.
 */
async function readBefore(hall: Hall, member: MemberName, from: number | null, isWanted: () => boolean): Promise<LogPage> {
  let before = from;
  for (;;) {
    const page = await hall.ask("read_member_log", { member, before, filter: EVERYTHING, limit: PAGE });
    if (page.lines.length > 0 || page.before === null || page.problem !== null || !isWanted()) return page;
    before = page.before;
  }
}

/** Whether the lines in memory begin with the very first line of the log. */
function reachesBack(log: Log, reach: Reach): boolean {
  if (reach.first === null) return false;
  // A log without lines at the first read is completely in memory, unless lines were removed since.
  return reach.first === -1 ? !log.cut : log.lines[0]?.seq === reach.first;
}

function shareOf(page: LogPage): number {
  return page.totalBytes === 0 ? 1 : Math.min(1, page.searchedBytes / page.totalBytes);
}
