/** Short confirmations of the Agents page. */
import { toast } from "sonner";

import type { House } from "../app/house";
import type { Report } from "../bridge/bindings";

const UNDO_MS = 15_000;

/** Confirms a change, with Undo where the change can be undone. */
export function notify({ spoken, hall }: House, text: string, undo?: () => Promise<Report | null>): void {
  spoken.set(text);
  if (!undo) {
    toast(text);
    return;
  }
  const onClick = () => void undo().then((refused) => (refused ? hall.tell(refused) : spoken.set("Change undone")));
  toast(text, { duration: UNDO_MS, action: { label: "Undo", onClick } });
}
