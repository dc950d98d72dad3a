/** Repeats a past or saved call as a new call. */
import type { ArgumentCheck, HistoryEntry, MemberName, SavedCall, ToolName } from "../../ipc/bindings";
import type { Hall } from "../../lib/hall/hall";
import type { Navigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { handOver } from "../tool/handOver";
import { sheetKey, type Workbench } from "../tool/workbench";
import type { ToolPageState } from "../tool/pageState";
import type { CallHistory } from "./callHistory";
import { openCall } from "./openCall";
import { replayOf } from "./replay";

interface Call {
  readonly member: MemberName;
  readonly tool: ToolName;
  readonly arguments: string;
}

/** Repeats a call unchanged, and opens the tool's page, which shows the result. */
export function runAgain({ bench, navigation }: { readonly bench: Workbench; readonly navigation: Navigation }, call: Call, check: ArgumentCheck): void {
  navigation.openTool(call.member, call.tool);
  void bench.run(call.member, call.tool, call.arguments, check);
}

interface RepeatStores {
  readonly bench: Workbench;
  readonly desk: ToolPageState;
  readonly hall: Hall;
  readonly history: CallHistory;
  readonly navigation: Navigation;
}

/** Repeats a past call unchanged. If the call needs a decision of the user first, the History page opens it instead. */
export async function repeatEntry({ bench, desk, hall, history, navigation }: RepeatStores, { id, member, tool }: HistoryEntry): Promise<void> {
  const [call, detail] = await Promise.all([hall.ask("history_entry", { id }), hall.toolDetail(member, tool)]).catch(() => [null, null]);
  const isSafe = detail?.summary.hints.destructive !== true || desk.trusted.get().has(sheetKey(member, tool));
  if (call && isSafe && call.masked.length === 0) runAgain({ bench, navigation }, { member, tool, arguments: call.arguments }, "refuse");
  else openCall({ history, navigation }, id);
}

/** Whether the tool's last call was this one and failed validation. The user can then run it without validation. */
export function useRefused(bench: Workbench, call: Call): boolean {
  return useStore(bench.sheets, () => {
    const last = bench.sheet(sheetKey(call.member, call.tool)).runs.at(-1);
    const end = last?.outcome?.end;
    return last?.arguments === call.arguments && end?.kind === "failed" && end.report.code === "arguments-invalid";
  });
}

/** The reason why a call can't be repeated unchanged; `undefined` if it can. */
export function whyNotAgain(masked: readonly string[], gone: string | undefined): string | undefined {
  if (gone !== undefined) return gone;
  return masked.length > 0 ? "Open it in the form and enter its secrets" : undefined;
}

/** Opens a saved call in its tool's form. If the tool has changed, the form's validation reports invalid arguments. */
export function openSaved({ bench, navigation }: { readonly bench: Workbench; readonly navigation: Navigation }, call: SavedCall): void {
  const { draft, notes } = replayOf(call.arguments, call.masked, "same");
  handOver({ bench, navigation }, call.member, call.tool, draft, notes);
}
