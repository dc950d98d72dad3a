/** The state of the tool pages of one window: finished calls that were seen, and tools that run without confirmation. */
import type { CallId } from "../../ipc/bindings";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import type { Run, SheetKey } from "./workbench";
import type { Asked } from "./ConfirmSend";

/** More than a workbench keeps; the oldest are forgotten first. */
const SEEN_MAX = 1_000;

interface ToolCall {
  readonly key: SheetKey;
  readonly asked: Asked;
}

export class ToolPageState {
  /** The calls whose end was on the screen. */
  readonly seen = new Store<ReadonlySet<CallId>>(new Set());
  /** The destructive tools that run without confirmation until the window closes. */
  readonly trusted = new Store<ReadonlySet<SheetKey>>(new Set());
  /** A destructive tool's call that waits for confirmation. */
  readonly asked = new Store<ToolCall | null>(null);
  /** Whether the menu of copy formats is open. */
  readonly copying = new Store(false);

  see(call: CallId): void {
    this.seen.update((seen) => (seen.has(call) ? seen : new Set([...seen, call].slice(-SEEN_MAX))));
  }

  trust(key: SheetKey): void {
    this.trusted.update((trusted) => new Set(trusted).add(key));
  }
}

export const [ToolPageContext, useToolPageState] = storeContext<ToolPageState>("useToolPageState");

/** The calls that ended while one looked elsewhere, newest first. */
export function endedUnseen(runs: readonly Run[], seen: ReadonlySet<CallId>): readonly Run[] {
  return runs.filter(({ call, outcome }) => outcome !== null && !seen.has(call));
}
