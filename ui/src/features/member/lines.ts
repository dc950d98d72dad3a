/** Lines of stderr made fit for the screen, and a bounded store of them. */
import type { LogFilter, LogLine } from "../../ipc/bindings";

/** Maximum number of lines held while following the log: the engine's own limit. */
export const LINES_MAX = 10_000;

/* oxlint-disable no-control-regex -- these patterns match control characters */
/** Colours, cursor movements and window titles, as terminals understand them. */
const TERMINAL_CODES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[ -/]*[0-~]/g;
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f]/g;
/* oxlint-enable no-control-regex */
/** Characters that change the order in which text is shown, or can't be seen. */
const INVISIBLE = /[\u0080-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A line without colours, its control characters shown as terminals write them, e.g. `^G`. */
export function readable(text: string): string {
  return text
    .replace(TERMINAL_CODES, "")
    .replace(CONTROLS, (control) => `^${String.fromCharCode(control.charCodeAt(0) ^ 0x40)}`)
    .replace(INVISIBLE, (hidden) => `⟨${hidden.charCodeAt(0).toString(16).padStart(4, "0")}⟩`);
}

const READ = new WeakMap<LogLine, string>();

/** The line's readable text, worked out once: a search goes through all lines at each new one. */
export function textOf(line: LogLine): string {
  let text = READ.get(line);
  if (text === undefined) {
    text = readable(line.text);
    READ.set(line, text);
  }
  return text;
}

/** What the log holds: lines in their order, none twice. */
export interface Log {
  lines: readonly LogLine[];
  /** How many new lines are known to have been left out because they came too fast. */
  missing: number;
  /** Whether lines that were held made room for newer ones. */
  cut: boolean;
}

export const emptyLog: Log = { lines: [], missing: 0, cut: false };

/** The log with new lines at its end; lines that it has already are left out. Of more than `max`
 * lines the oldest make room: they are in the files. */
export function withLines(log: Log, lines: readonly LogLine[], skipped = 0, max = LINES_MAX): Log {
  const last = log.lines.at(-1);
  const first = lines[0];
  // Numbers begin again when the member's files were removed: then its log does too.
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

/** The log with older lines in front. */
export function withEarlier(log: Log, lines: readonly LogLine[]): Log {
  const first = log.lines[0]?.seq ?? Infinity;
  const earlier = lines.filter((line) => line.seq < first);
  return earlier.length === 0 ? log : { ...log, lines: [...earlier, ...log.lines] };
}

/** How many of the lines came after that of the number. */
export function countAfter(lines: readonly LogLine[], seq: number): number {
  return lines.length - 1 - lines.findLastIndex((line) => line.seq <= seq);
}

/** Whether a line contains the words, ignoring case, and belongs to the selected start. */
export function fits(line: LogLine, filter: LogFilter): boolean {
  if (filter.start !== null && line.start !== filter.start) return false;
  return filter.contains === "" || textOf(line).toLowerCase().includes(filter.contains.toLowerCase());
}

/** A row of the log: a line, or a separator between two lines. */
export type Row =
  | { kind: "line"; line: LogLine }
  | { kind: "start"; key: string; start: number; atMs: number }
  | { kind: "gap"; key: string; missing: number };

/** The lines with separators between them. Gaps are shown only without a filter. */
export function rowsOf(lines: readonly LogLine[], whole: boolean): Row[] {
  const rows: Row[] = [];
  let before: LogLine | null = null;
  for (const line of lines) {
    const missing = before ? line.seq - before.seq - 1 : 0;
    if (whole && missing > 0) rows.push({ kind: "gap", key: `gap ${line.seq}`, missing });
    // The first lines begin in the middle of a start, unless it is the log's first.
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
