/** Confirmations of changes on the Agents page. */
import type { Report } from "../../ipc/bindings";
import type { Hall } from "../../lib/hall/hall";
import type { Spoken } from "../../lib/spoken";
import { showToast, UNDO_MS } from "../../lib/toasts";

/** Confirms a change by a toast and a screen reader announcement. With `undo`, the toast has an Undo button. Returns the toast's id. */
export function notify({ hall, spoken }: { readonly hall: Hall; readonly spoken: Spoken }, text: string, undo?: () => Promise<Report | null>): number {
  spoken.set(text);
  if (!undo) return showToast({ text });
  const onClick = () => void undo().then((refused) => (refused ? hall.tell(refused) : spoken.set("Change undone")));
  return showToast({ text, action: { label: "Undo", onClick } }, UNDO_MS);
}
