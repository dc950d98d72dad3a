/** Durations and moments in words. */
import { decimal } from "./format";

/** The units of durations, from a thousandth of a second to a day. */
type Unit = "ms" | "s" | "min" | "h" | "d";

const units: Record<Unit, string> = { ms: "ms", s: "s", min: "min", h: "h", d: "d" };

const words = {
  /** `84 ms`, `4 min 10 s`: amounts with their units, the largest first. */
  duration: (parts: readonly { amount: string; unit: Unit }[]) => parts.map(({ amount, unit }) => `${amount} ${units[unit]}`).join(" "),
};

interface Part {
  readonly amount: string;
  readonly unit: Unit;
}

function partsOf(ms: number): readonly Part[] {
  if (ms < 1_000) return [{ amount: String(Math.round(ms)), unit: "ms" }];
  if (ms < 10_000) return [{ amount: decimal(Math.floor(ms / 100) / 10, 1), unit: "s" }];
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return pair(seconds, "s", 0, "ms");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return pair(minutes, "min", seconds % 60, "s");
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return pair(hours, "h", minutes % 60, "min");
  return pair(Math.floor(hours / 24), "d", hours % 24, "h");
}

function pair(large: number, largeUnit: Unit, small: number, smallUnit: Unit): readonly Part[] {
  const first = { amount: String(large), unit: largeUnit };
  return small === 0 ? [first] : [first, { amount: String(small), unit: smallUnit }];
}

/** `84 ms`, `3.2 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  return words.duration(partsOf(ms));
}

/** The same in whole seconds or larger units, for what counts up on the screen. */
export function wholeDuration(ms: number): string {
  return words.duration(ms < 60_000 ? pair(Math.max(0, Math.floor(ms / 1_000)), "s", 0, "ms") : partsOf(ms));
}

/** `just now`, `4 min ago`; `nowMs` is passed in, so that nothing here reads a clock. */
export function ago(atMs: number, nowMs: number): string {
  const past = nowMs - atMs;
  return past < 5_000 ? "just now" : `${words.duration(partsOf(past).slice(0, 1))} ago`;
}

// Moments are written so that they can be sorted, and compared with logs.

/** `14:03:59.120`, the time of a line of a log. */
export function clock(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, "0");
  const ms = String(at.getMilliseconds()).padStart(3, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`;
}

/** `2026-11-21 14:03`, for what a person did, where no second matters. */
export function toTheMinute(atMs: number): string {
  return moment(atMs).slice(0, 16);
}

/** `2026-11-21 14:03:59.120`, a moment in full, where the window is. */
export function moment(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(atMs)}`;
}
