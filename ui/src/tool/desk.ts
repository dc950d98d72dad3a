/** What a person does at the tools of one window: which ends they saw, which tools ask no more. */
import type { CallId } from "../bridge/bindings";
import { Store } from "../hall/store";
import type { Run, SheetKey } from "../hall/workbench";

/** More than a workbench keeps; the oldest are forgotten first. */
const SEEN_MAX = 1_000;

export class ToolDesk {
  /** The calls whose end was on the screen. */
  readonly seen = new Store<ReadonlySet<CallId>>(new Set());
  /** The destructive tools that are run without being asked for, until the window is closed. */
  readonly trusted = new Store<ReadonlySet<SheetKey>>(new Set());
  /** Whether the menu of what a call can be copied as lies open. */
  readonly copying = new Store(false);

  see(call: CallId): void {
    this.seen.update((seen) => (seen.has(call) ? seen : new Set([...seen, call].slice(-SEEN_MAX))));
  }

  trust(key: SheetKey): void {
    this.trusted.update((trusted) => new Set(trusted).add(key));
  }
}

/** The calls that ended while one looked elsewhere, newest first. */
export function endedUnseen(runs: readonly Run[], seen: ReadonlySet<CallId>): readonly Run[] {
  return runs.filter(({ call, outcome }) => outcome !== null && !seen.has(call));
}
