/** The calls that checks and mock members are created from. */
import type { HistoryEntry, MemberName } from "../../ipc/bindings";
import { number } from "../../lib/format";
import type { Pages } from "./callLog";

/** Maximum number of recorded calls that the engine accepts. */
const RECORDED_CALLS_MAX = 200;

export type CreatedKind = "checks" | "mock";

/** The called members, sorted. */
export function membersOf(calls: readonly HistoryEntry[]): readonly MemberName[] {
  return [...new Set(calls.map(({ member }) => member))].sort();
}

/** The reason why the listed calls can't be used; `undefined` if they can. */
export function whyNotAll({ reading, more }: Pages, listed: readonly HistoryEntry[]): string | undefined {
  if (reading === "newest") return "Loading…";
  if (listed.length === 0) return "No calls";
  if (listed.length + (more ? 1 : 0) > RECORDED_CALLS_MAX) return `More than ${number(RECORDED_CALLS_MAX)} calls match. Filter or select calls.`;
  return more ? "Scroll down to load the older calls first." : undefined;
}

/** The reason why the selected calls can't be used; `undefined` if they can. */
export function whyNotSelected(selected: readonly HistoryEntry[]): string | undefined {
  return selected.length > RECORDED_CALLS_MAX ? `Select at most ${number(RECORDED_CALLS_MAX)} calls` : undefined;
}
