/** Formats durations and points in time. */
import { decimal } from "./format";

/** A duration as one or two amounts with units, the larger unit first: `["4 min", "10 s"]`. */
function partsOf(ms: number): readonly string[] {
  if (ms < 1_000) return [`${Math.round(ms)} ms`];
  if (ms < 10_000) return [`${decimal(Math.floor(ms / 100) / 10, 1)} s`];
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return [`${seconds} s`];
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return pair(minutes, "min", seconds % 60, "s");
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return pair(hours, "h", minutes % 60, "min");
  return pair(Math.floor(hours / 24), "d", hours % 24, "h");
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): readonly string[] {
  const first = `${large} ${largeUnit}`;
  return small === 0 ? [first] : [first, `${small} ${smallUnit}`];
}

/** Formats a duration: `84 ms`, `3.2 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  return partsOf(ms).join(" ");
}

/** Formats a duration without fractions of seconds, for counters on the screen. */
export function wholeDuration(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1_000))} s` : duration(ms);
}

/** Formats a point in time relative to `nowMs`: `just now`, `4 min ago`. */
export function ago(atMs: number, nowMs: number): string {
  const past = nowMs - atMs;
  return past < 5_000 ? "just now" : `${partsOf(past)[0] ?? ""} ago`;
}

// Points in time are formatted as in log files, so that users can sort and compare them.

/** Formats the local time of day: `14:03:59.120`. */
export function clock(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, "0");
  const ms = String(at.getMilliseconds()).padStart(3, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`;
}

/** Formats local date and time without seconds: `2026-11-21 14:03`. */
export function toTheMinute(atMs: number): string {
  return moment(atMs).slice(0, 16);
}

/** Formats local date and time with milliseconds: `2026-11-21 14:03:59.120`. */
export function moment(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(atMs)}`;
}
