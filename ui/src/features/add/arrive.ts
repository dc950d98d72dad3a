/** Announces installed members in a toast and to screen readers, and opens them. */
import { exact } from "../../lib/exact";
import type { Layers } from "../../lib/layers";
import type { Installed, Navigation } from "../../lib/navigation/navigation";
import type { Spoken } from "../../lib/spoken";
import { showToast } from "../../lib/toasts";

/** Returns a function that reports whether the user has left the current panel since `leaving` was called. */
export function leaving({ layers, navigation: { addingTab, place } }: { readonly layers: Layers; readonly navigation: Navigation }): () => boolean {
  const [from, tab] = [place.get(), addingTab.get()];
  return () => place.get() !== from || addingTab.get() !== tab || !layers.has("adding");
}

/**
 * Announces an installed server and opens its review. If the user has left the dialog (`isLeft`), the toast does
 * not expire and has a button that opens the review.
 */
export function arrive({ navigation, spoken }: { readonly navigation: Navigation; readonly spoken: Spoken }, isLeft: boolean, summary: string, installed: Installed): void {
  const { warning, staysCommand } = installed;
  const stays = staysCommand.length > 0 ? `It stays a command. Its container may keep running after the command ends: ${staysCommand.map(exact).join("; ")}.` : "";
  spoken.set([summary, stays, warning?.message].filter(Boolean).join(" "));
  if (isLeft) showToast({ text: summary, action: { label: "Review", onClick: () => navigation.openInstalled(installed) } }, Infinity);
  else {
    navigation.openInstalled(installed);
    showToast({ text: summary });
  }
}
