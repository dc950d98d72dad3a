/**
 * Functions for the sheets of tools, resources and prompts. A sheet contains a limited number of the window's last
 * calls.
 */
import type { CallEnd, CallId } from "../ipc/bindings";
import { asRefusal } from "../ipc/bridge";

/**
 * A copy of `sheets` with the given sheet added or replaced. Above `max`, the oldest sheet without a running call is
 * removed.
 */
export function withSheet<S>(sheets: ReadonlyMap<string, S>, key: string, sheet: S, max: number, isBusy: (sheet: S) => boolean): ReadonlyMap<string, S> {
  const next = new Map(sheets);
  // Inserting the key again moves it to the end, so that the map is ordered by last change.
  next.delete(key);
  next.set(key, sheet);
  const [idle] = next.size > max ? ([...next].find(([, other]) => !isBusy(other)) ?? []) : [];
  if (idle !== undefined) next.delete(idle);
  return next;
}

/** Drops the oldest finished calls above `max`. Running calls are never dropped. */
export function trimmed<C>(calls: readonly C[], max: number, isRunning: (call: C) => boolean): readonly C[] {
  let surplus = calls.length - max;
  return calls.filter((call) => {
    if (surplus <= 0 || isRunning(call)) return true;
    surplus -= 1;
    return false;
  });
}

/** The call whose result is shown: the selected one, or else the newest; `null` before the first call. */
export function shownCall<C extends { readonly call: CallId }>(calls: readonly C[], selected: CallId | null): C | null {
  return calls.find(({ call }) => call === selected) ?? calls.at(-1) ?? null;
}

/** The end of a call whose request failed. */
export function failedEnd(reason: unknown): CallEnd {
  return { kind: "failed", report: asRefusal(reason).report, rpc: null, arguments: [], stderr: [] };
}
