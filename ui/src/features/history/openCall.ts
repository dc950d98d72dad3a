import type { EntryId } from "../../ipc/bindings";
import type { Navigation } from "../../lib/navigation/navigation";
import type { CallHistory } from "./callHistory";

interface Stores {
  readonly history: CallHistory;
  readonly navigation: Navigation;
}

/** Opens one past call beside the list of all. */
export function openCall({ history, navigation }: Stores, id: EntryId): void {
  navigation.openHistory();
  history.open(id);
}
