import { decimal } from "../../words/format";
import { duration } from "../../words/time";

/** How long an answer took: `84 µs`, `3.2 ms`, `1.4 s`. */
export function exchangeTime(us: number): string {
  if (us < 1_000) return `${us} µs`;
  if (us < 10_000) return `${decimal(us / 1_000, 1)} ms`;
  return duration(us / 1_000);
}
