/** Makes lines of stderr readable, and keeps a bounded list of the lines. */
import type { LogFilter, LogLine } from "../../ipc/bindings";

/** Maximum number of lines in the list during automatic scrolling. The engine has the same limit. */
export const LINES_MAX = 10_000;

/* oxlint-disable no-control-regex -- these patterns match control characters */
/** Terminal escape sequences, such as colors, cursor movements and window titles. */
const TERMINAL_CODES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[ -/]*[0-~]/g;
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f]/g;
/* oxlint-enable no-control-regex */
/** Invisible characters, and characters that change the direction of text. */
const INVISIBLE = /[\u0080-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Removes escape sequences, and makes control and invisible characters visible, such as `^G` and `⟨200b⟩`. */
export function readable(text: string): string {
  return text
    .replace(TERMINAL_CODES, "")
    .replace(CONTROLS, (control) => `^${String.fromCharCode(control.charCodeAt(0) ^ 0x40)}`)
    .replace(INVISIBLE, (hidden) => `⟨${hidden.charCodeAt(0).toString(16).padStart(4, "0")}⟩`);
}

const READ = new WeakMap<LogLine, string>();

/** The line's readable text. It is cached, because each new line causes another search through all lines. */
export function textOf(line: LogLine): string {
  let text = READ.get(line);
  if (text === undefined) {
    text = readable(line.text);
    READ.set(line, text);
  }
  return text;
}

/** A member's log: lines in ascending order of `seq`, without duplicates. */
export interface Log {
  lines: readonly LogLine[];
  /** The number of new lines that were skipped because they arrived too fast. */
  missing: number;
  /** Whether old lines were removed to make room for new ones. */
  cut: boolean;
}

export const emptyLog: Log = { lines: [], missing: 0, cut: false };

/** Appends the lines that the log does not have yet. Above `max` lines, the oldest are removed. They are still in the
 * log files. */
export function withLines(log: Log, lines: readonly LogLine[], skipped = 0, max = LINES_MAX): Log {
  const last = log.lines.at(-1);
  const first = lines[0];
  // If the member's log files were removed, `seq` starts again from the beginning, and the old lines must be dropped.
  const anew = last && first && first.seq <= last.seq && first.atMs > last.atMs;
  const kept = anew ? [] : log.lines;
  const fresh = anew ? lines : lines.filter((line) => line.seq > (last?.seq ?? -1));
  if (fresh.length === 0 && skipped === 0) return log;
  const all = [...kept, ...fresh];
  const cut = all.length > max;
  return {
    lines: cut ? all.slice(-max) : all,
    missing: log.missing + skipped,
    cut: cut || (log.cut && !anew),
  };
}

/** Prepends older lines to the log. */
export function withEarlier(log: Log, lines: readonly LogLine[]): Log {
  const first = log.lines[0]?.seq ?? Infinity;
  const earlier = lines.filter((line) => line.seq < first);
  return earlier.length === 0 ? log : { ...log, lines: [...earlier, ...log.lines] };
}

/** The number of lines after the line with the given `seq`. */
export function countAfter(lines: readonly LogLine[], seq: number): number {
  return lines.length - 1 - lines.findLastIndex((line) => line.seq <= seq);
}

/** Whether a line contains the searched text, ignoring case, and belongs to the selected run. */
export function fits(line: LogLine, filter: LogFilter): boolean {
  if (filter.start !== null && line.start !== filter.start) return false;
  return filter.contains === "" || textOf(line).toLowerCase().includes(filter.contains.toLowerCase());
}

/** A row of the log view: a line, the heading of a run, or a notice about missing lines. */
export type Row =
  | { kind: "line"; line: LogLine }
  | { kind: "start"; key: string; start: number; atMs: number }
  | { kind: "gap"; key: string; missing: number };

/**
 * Adds headings of runs and, if `whole` is true, notices about missing lines. For filtered lines, `whole` must be
 * false, because a filter causes gaps in `seq`.
 */
export function rowsOf(lines: readonly LogLine[], whole: boolean): Row[] {
  const rows: Row[] = [];
  let before: LogLine | null = null;
  for (const line of lines) {
    const missing = before ? line.seq - before.seq - 1 : 0;
    if (whole && missing > 0) rows.push({ kind: "gap", key: `gap ${line.seq}`, missing });
    // `start` is 0 for lines whose run is unknown.
    if (line.start > 0 && line.start !== before?.start) {
      rows.push({ kind: "start", key: `start ${line.seq}`, start: line.start, atMs: line.atMs });
    }
    rows.push({ kind: "line", line });
    before = line;
  }
  return rows;
}

export function keyOf(row: Row): string | number {
  return row.kind === "line" ? row.line.seq : row.key;
}
