/** The state of a window's tool pages, such as which finished calls the user has seen. */
import type { CallId } from "../../ipc/bindings";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import type { Run, SheetKey } from "./workbench";
import type { Asked } from "./ConfirmSend";

/** Maximum calls remembered as seen, which is more than the workbench stores. The oldest are dropped first. */
const SEEN_MAX = 1_000;

interface ToolCall {
  readonly key: SheetKey;
  readonly asked: Asked;
}

export class ToolPageState {
  /** The finished calls whose results were on the screen. */
  readonly seen = new Store<ReadonlySet<CallId>>(new Set());
  /** The destructive tools that run without confirmation until the window is closed. */
  readonly trusted = new Store<ReadonlySet<SheetKey>>(new Set());
  /** The call of a destructive tool that waits for confirmation. */
  readonly asked = new Store<ToolCall | null>(null);
  /** The tool whose app was selected last. Its next result opens the app again. */
  readonly app = new Store<SheetKey | null>(null);
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

/** The finished calls whose results the user has not seen yet. */
export function endedUnseen(runs: readonly Run[], seen: ReadonlySet<CallId>): readonly Run[] {
  return runs.filter(({ call, outcome }) => outcome !== null && !seen.has(call));
}
