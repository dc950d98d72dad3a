/** Short messages at the foot of the window. The code that draws them loads with the first one. */
import { Store } from "./store";

interface Toast {
  readonly text: string;
  /** A second, smaller line. */
  readonly detail?: string;
  readonly action?: { readonly label: string; readonly onClick: () => void };
  /** Runs when the time is over or the user closes the message, but not after the action. */
  readonly onGone?: () => void;
}

const LASTS_MS = 5_000;
/** The time in which a change can be undone. */
export const UNDO_MS = 10_000;

/** The open messages, the oldest first. */
export const toasts = new Store<ReadonlyMap<number, Toast & { readonly lastsMs: number }>>(new Map());
let ids = 0;

export function showToast(toast: Toast, lastsMs = LASTS_MS): number {
  ids += 1;
  toasts.update((open) => new Map(open).set(ids, { ...toast, lastsMs }));
  return ids;
}

/** Removes a message. Its `onGone` runs, unless the action was used. */
export function closeToast(id: number, isUsed = false): void {
  const toast = toasts.get().get(id);
  if (!toast) return;
  toasts.update((open) => new Map([...open].filter(([other]) => other !== id)));
  if (!isUsed) toast.onGone?.();
}

/** Offers to undo a change that is final only when the message has gone, or the window closes. */
export function offerUndo(text: string, undo: () => void, settle?: () => void): number {
  return showToast({ text, action: { label: "Undo", onClick: undo }, ...(settle && { onGone: settle }) }, UNDO_MS);
}

window.addEventListener("pagehide", () => {
  for (const id of toasts.get().keys()) closeToast(id);
});
