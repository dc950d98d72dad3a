/** Short confirmations of the Agents page. */
import type { Report } from "../../ipc/bindings";
import type { Hall } from "../../lib/hall/hall";
import type { Spoken } from "../../lib/spoken";
import { showToast, UNDO_MS } from "../../lib/toasts";

/** Confirms a change, with Undo where the change can be undone. */
export function notify({ hall, spoken }: { readonly hall: Hall; readonly spoken: Spoken }, text: string, undo?: () => Promise<Report | null>): void {
  spoken.set(text);
  if (!undo) {
    showToast({ text });
    return;
  }
  const onClick = () => void undo().then((refused) => (refused ? hall.tell(refused) : spoken.set("Change undone")));
  showToast({ text, action: { label: "Undo", onClick } }, UNDO_MS);
}
