/** Toasts: short messages in a corner of the window. `Toaster`, which renders them, loads with the first one. */
import { Store } from "./store";

interface Toast {
  readonly text: string;
  /** A second line in smaller text. */
  readonly detail?: string;
  readonly action?: { readonly label: string; readonly onClick: () => void };
  /**
   * Called when the toast ends without its action being used: it times out, the user closes it, or the window closes.
   */
  readonly onGone?: () => void;
}

const LASTS_MS = 5_000;
/** The time in milliseconds during which a change can be undone. */
export const UNDO_MS = 10_000;

/** The open toasts by id, oldest first. */
export const toasts = new Store<ReadonlyMap<number, Toast & { readonly lastsMs: number }>>(new Map());
let ids = 0;

export function showToast(toast: Toast, lastsMs = LASTS_MS): number {
  ids += 1;
  toasts.update((open) => new Map(open).set(ids, { ...toast, lastsMs }));
  return ids;
}

/** Removes a toast and calls its `onGone`, unless the toast's action was used. */
export function closeToast(id: number, isUsed = false): void {
  const toast = toasts.get().get(id);
  if (!toast) return;
  toasts.update((open) => new Map([...open].filter(([other]) => other !== id)));
  if (!isUsed) toast.onGone?.();
}

/** Shows a toast with an Undo button. `settle` makes the change final once the toast or the window closes. */
export function offerUndo(text: string, undo: () => void, settle?: () => void): number {
  return showToast({ text, action: { label: "Undo", onClick: undo }, ...(settle && { onGone: settle }) }, UNDO_MS);
}

window.addEventListener("pagehide", () => {
  for (const id of toasts.get().keys()) closeToast(id);
});
