import type { MemberName, ToolName } from "../../ipc/bindings";
import type { Navigation } from "../../lib/navigation/navigation";
import type { Draft } from "../form/model/draft";
import { sheetKey, type Workbench } from "./workbench";

interface Stores {
  readonly bench: Workbench;
  readonly navigation: Navigation;
}

/** Opens a tool with a draft from another page, to `run` it or to `edit` it, and shows the notes about the draft. */
export function handOver({ bench, navigation }: Stores, member: MemberName, tool: ToolName, draft: Draft, notes: readonly string[], wanted: "run" | "edit" = "edit"): void {
  bench.handOver(sheetKey(member, tool), draft, notes);
  navigation.fillTool(member, tool, wanted);
}
