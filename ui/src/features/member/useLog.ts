import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";

import type { LogFilter, LogLine, LogPage, MemberName, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Hall } from "../../lib/hall/hall";
import { emptyLog, fits, LINES_MAX, withEarlier, withLines, type Log } from "./lines";

/** Lines per request. */
const PAGE = 1_000;
/** Lines that a search reads before it waits for the user. */
const FOUND_PAGE = 500;
/** Maximum number of lines held while older ones are on the screen. */
export const HELD_MAX = 100_000;

const EVERYTHING: LogFilter = { contains: "", start: null };

/** How far back the log was read. */
interface Reach {
  /** The number of the log's first line of all, once that was read; -1 for a log without lines. */
  first: number | null;
  known: boolean;
  reading: boolean;
  problem: Report | null;
}

const UNREAD: Reach = { first: null, known: false, reading: false, problem: null };

/** A search among the lines that are older than those that are held. */
interface Search {
  filter: LogFilter;
  found: readonly LogLine[];
  /** The position to continue from; `null` at the end. */
  before: number | null;
  /** How much of the files was gone through, from 0 to 1. */
  share: number;
  reading: boolean;
}

export interface OpenLog {
  /** All lines that are held, regardless of the filter. */
  log: Log;
  /** What fits the filter, older lines that were found included. */
  lines: readonly LogLine[];
  hasEarlier: boolean;
  /** Whether there are earlier lines, and no room for them. */
  isFull: boolean;
  /** Whether the first answer has come. */
  known: boolean;
  /** Whether older lines are being read. */
  reading: boolean;
  /** How much of the files was gone through, from 0 to 1. */
  share: number;
  problem: Report | null;
  /** Reads older lines, or searches on. */
  readEarlier: () => void;
  /** Cancels the running read. */
  stop: () => void;
}

/**
 * A member's stderr while its log is open: new lines as they arrive, and the log files as far back as the
 * user scrolls. With a filter, the held lines are filtered here. The engine filters older lines, page by
 * page, until enough match.
 *
 * With `holding`, older lines are kept while new ones arrive.
 */
export function useLog(hall: Hall, member: MemberName, filter: LogFilter, holding: boolean): OpenLog {
  const [log, setLog] = useState<Log>(emptyLog);
  const [reach, setReach] = useState<Reach>(UNREAD);
  const [searched, setSearched] = useState<Search | null>(null);
  const isFiltered = filter.contains !== "" || filter.start !== null;
  /** The number of the current read; every earlier read has been canceled. */
  const turn = useRef(0);
  const latest = useRef({ log, reach, max: LINES_MAX });
  // Before anybody can press a button that was just drawn.
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
    // Listening begins before the question, so that no line falls between the two.
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

  // A search begins where the lines that are held begin; of those, the window finds by itself.
  const { known } = reach;
  useEffect(() => {
    if (!known) return undefined;
    if (isFiltered && !reachesBack(latest.current.log, latest.current.reach)) {
      const before = latest.current.log.lines[0]?.seq ?? null;
      void search({ filter, found: [], before, share: 0, reading: true });
    }
    return () => {
      turn.current += 1;
      // The running read is discarded, so nothing else will reset `reading`.
      setReach((now) => (now.reading ? { ...now, reading: false } : now));
    };
  }, [known, isFiltered, filter, search]);

  /** What was found by this filter; another's does not count. */
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
 * Reads the lines before the line with that number, or the newest for `null`. A page without lines may not be
 * the last, so the next one is requested while `isWanted` returns true.
 */
async function readBefore(hall: Hall, member: MemberName, from: number | null, isWanted: () => boolean): Promise<LogPage> {
  let before = from;
  for (;;) {
    const page = await hall.ask("read_member_log", { member, before, filter: EVERYTHING, limit: PAGE });
    if (page.lines.length > 0 || page.before === null || page.problem !== null || !isWanted()) return page;
    before = page.before;
  }
}

/** Whether the lines that are held begin with the log's first of all. */
function reachesBack(log: Log, reach: Reach): boolean {
  if (reach.first === null) return false;
  // A log that had no lines has been held whole since.
  return reach.first === -1 ? !log.cut : log.lines[0]?.seq === reach.first;
}

function shareOf(page: LogPage): number {
  return page.totalBytes === 0 ? 1 : Math.min(1, page.searchedBytes / page.totalBytes);
}
