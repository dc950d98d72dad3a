/** Repeats a past or saved call as a new call. */
import type { ArgumentCheck, MemberName, SavedCall, ToolName } from "../../ipc/bindings";
import type { Navigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { handOver } from "../tool/handOver";
import { sheetKey, type Workbench } from "../tool/workbench";
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
