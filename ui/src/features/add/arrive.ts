/** Reports new members by a toast and to screen readers, and opens them. */
import type { House, Installed } from "../../app/house";
import { exact } from "../../lib/exact";
import { showToast } from "../../lib/toasts";

/** Returns a check whether the user has left the panel since this was called. */
export function leaving({ addingTab, layers, place }: House): () => boolean {
  const [from, tab] = [place.get(), addingTab.get()];
  return () => place.get() !== from || addingTab.get() !== tab || !layers.has("adding");
}

/**
 * Reports an installed server and opens its review. If the user has left the dialog, the toast stays and leads
 * to the review.
 */
export function arrive(house: House, isLeft: boolean, said: string, installed: Installed): void {
  const { warning, staysCommand } = installed;
  const stays = staysCommand.length > 0 ? `It stays a command. Its container may keep running after the command ends: ${staysCommand.map(exact).join("; ")}.` : "";
  house.spoken.set([said, stays, warning?.message].filter(Boolean).join(" "));
  if (isLeft) showToast({ text: said, action: { label: "Review", onClick: () => house.openInstalled(installed) } }, Infinity);
  else {
    house.openInstalled(installed);
    showToast({ text: said });
  }
}
