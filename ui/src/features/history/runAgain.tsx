/** Repeats a past or saved call as a new call. */
import { useState } from "react";

import type { ArgumentCheck, HistoryEntry, MemberName, SavedCall, ToolDetail, ToolName } from "../../ipc/bindings";
import type { Hall } from "../../lib/hall/hall";
import { useNavigation, type Navigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { handOver } from "../tool/handOver";
import { ConfirmSend } from "../tool/ConfirmSend";
import { useToolPageState, type ToolPageState } from "../tool/pageState";
import { sheetKey, useWorkbench, type Workbench } from "../tool/workbench";
import { openCall, type CallHistory } from "./callHistory";
import { replayOf } from "./replay";

interface Call {
  readonly member: MemberName;
  readonly tool: ToolName;
  readonly arguments: string;
}

/** Repeats a call unchanged, and opens the tool's page, which shows the result. */
function runAgain({ bench, navigation }: { readonly bench: Workbench; readonly navigation: Navigation }, call: Call, check: ArgumentCheck): void {
  navigation.openTool(call.member, call.tool);
  void bench.run(call.member, call.tool, call.arguments, check);
}

/** Whether the user has to confirm a call of a tool, because the tool is destructive. */
function needsConfirmation(desk: ToolPageState, detail: ToolDetail | null | undefined, { member, tool }: Pick<Call, "member" | "tool">): boolean {
  return detail?.summary.hints.destructive === true && !desk.trusted.get().has(sheetKey(member, tool));
}

/** Repeats a call after the user has confirmed it if necessary. `confirmation` is the dialog while it is open. */
export function useRepeat(call: Call, onLeave: () => void = () => undefined) {
  const bench = useWorkbench();
  const desk = useToolPageState();
  const navigation = useNavigation();
  const [asked, setAsked] = useState<ArgumentCheck | null>(null);
  const { member, tool, arguments: text } = call;
  const repeat = (detail: ToolDetail | null, check: ArgumentCheck) => {
    if (needsConfirmation(desk, detail, call)) setAsked(check);
    else runAgain({ bench, navigation }, call, check);
  };
  const confirmation = asked !== null && (
    <ConfirmSend
      {...{ member, tool }}
      asked={{ text, check: asked, timeoutMs: null }}
      onSend={(always) => {
        if (always) desk.trust(sheetKey(member, tool));
        setAsked(null);
        runAgain({ bench, navigation }, call, asked);
      }}
      onLeave={() => {
        setAsked(null);
        onLeave();
      }}
    />
  );
  return { repeat, confirmation, refused: useRefused(bench, call) };
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
  if (call && !needsConfirmation(desk, detail, { member, tool }) && call.masked.length === 0) runAgain({ bench, navigation }, { member, tool, arguments: call.arguments }, "refuse");
  else openCall({ history, navigation }, id);
}

/**
 * Whether the last call of the tool was this call and failed validation. The user can then repeat the call without
 * validation.
 */
function useRefused(bench: Workbench, call: Call): boolean {
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
