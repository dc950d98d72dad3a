import type { EntryId } from "../../ipc/bindings";
import type { Navigation } from "../../lib/navigation/navigation";
import type { CallHistory } from "./callHistory";

interface Stores {
  readonly history: CallHistory;
  readonly navigation: Navigation;
}

/** Opens the History page with one past call in the sheet. */
export function openCall({ history, navigation }: Stores, id: EntryId): void {
  navigation.openHistory();
  history.open(id);
}
