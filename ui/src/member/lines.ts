/** Lines of stderr made fit for the screen, and a bounded store of them. */
import type { LogLine } from "../bridge/bindings";

/** The same limit as the engine's. */
export const LINES_MAX = 10_000;

/* eslint-disable no-control-regex -- control characters are what is looked for */
/** Colours, cursor movements and window titles, as terminals understand them. */
const TERMINAL_CODES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[ -/]*[0-~]/g;
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f]/g;
/* eslint-enable no-control-regex */
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
  /** How many lines are known to be missing. */
  missing: number;
  /** How many lines came in all since the log was opened; grows with each. */
  came: number;
}

export const emptyLog: Log = { lines: [], missing: 0, came: 0 };

/** The log with new lines at its end. Lines that it has already are left out. */
export function withLines(log: Log, lines: readonly LogLine[], skipped = 0): Log {
  const last = log.lines.at(-1);
  const first = lines[0];
  // Numbers begin again when the member was taken away and added: then its log does too.
  const anew = last && first && first.seq <= last.seq && first.atMs > last.atMs;
  const kept = anew ? [] : log.lines;
  const fresh = anew ? lines : lines.filter((line) => line.seq > (last?.seq ?? -1));
  if (fresh.length === 0 && skipped === 0) return log;
  return {
    lines: [...kept, ...fresh].slice(-LINES_MAX),
    missing: log.missing + skipped,
    came: log.came + fresh.length,
  };
}

/** The log with older lines in front, such as those from before it was opened. */
export function withEarlier(log: Log, lines: readonly LogLine[]): Log {
  const first = log.lines[0]?.seq ?? Infinity;
  const earlier = lines.filter((line) => line.seq < first);
  return { ...log, lines: [...earlier, ...log.lines].slice(-LINES_MAX) };
}
