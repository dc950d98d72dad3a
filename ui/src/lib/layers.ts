/**
 * The layers above the page, such as dialogs and the drawer. A closed layer returns the focus to the element that had
 * it before.
 */
import { Store } from "./store";
import { storeContext } from "./storeContext";

type Layer = "palette" | "keys" | "drawer" | "warnings" | "bundle" | "about" | "adding";

/** The layers that are modal dialogs, which trap the focus. */
const DIALOGS: ReadonlySet<Layer | undefined> = new Set(["palette", "keys", "bundle", "about", "adding"]);

export class Layers {
  /** The open layers, the topmost last. */
  readonly shown = new Store<readonly Layer[]>([]);
  /** The functions that close the open dialogs and side sheets that are not layers, such as confirmations. */
  readonly asking = new Set<() => void>();
  /** For each open layer, the element that had the focus before it opened. */
  readonly #from = new Map<Layer, Element | null>();
  /** The element that gets the focus in the next frame, after a layer was closed. */
  #returning: Element | null = null;

  has(layer: Layer): boolean {
    return this.shown.get().includes(layer);
  }

  top(): Layer | undefined {
    return this.shown.get().at(-1);
  }

  /** Whether the topmost layer is a modal dialog. */
  isDialogOnTop(): boolean {
    return DIALOGS.has(this.top());
  }

  open(layer: Layer): void {
    if (this.has(layer)) return;
    // If this layer replaces a layer that was just closed, it later focuses the element that the closed layer would
    // have focused.
    this.#from.set(layer, this.#returning ?? document.activeElement);
    this.#returning = null;
    this.shown.update((layers) => [...layers, layer]);
  }

  close(layer: Layer): void {
    if (!this.has(layer)) return;
    this.shown.update((layers) => layers.filter((other) => other !== layer));
    const from = this.#from.get(layer) ?? null;
    this.#from.delete(layer);
    this.#returning = from;
    // Wait until React has removed the layer: an open dialog traps the focus.
    requestAnimationFrame(() => {
      if (this.#returning !== from) return;
      this.#returning = null;
      // The element may have been replaced by another with the same id, such as a field by the button that opens it.
      const there = from?.isConnected === false && from.id !== "" ? document.getElementById(from.id) : from;
      if (there instanceof HTMLElement && there.isConnected && isNowhere(document.activeElement)) there.focus();
    });
  }

  toggle(layer: Layer): void {
    if (this.has(layer)) this.close(layer);
    else this.open(layer);
  }

  /**
   * Closes all layers and the dialogs in `asking`, because they would hide the page that is about to be shown. With
   * `stays`, that layer and the dialogs in `asking` stay open. The layer is visible above these dialogs and returns
   * the focus to them.
   */
  uncover(stays?: Layer): void {
    if (stays === undefined) for (const leave of [...this.asking]) leave();
    for (const layer of [...this.shown.get()].reverse()) if (layer !== stays) this.close(layer);
  }

  /** Closes the topmost layer. Returns whether one was open. */
  closeTop(): boolean {
    const top = this.top();
    if (top === undefined) return false;
    this.close(top);
    return true;
  }
}

export const [LayersContext, useLayers] = storeContext<Layers>("useLayers");

/** Whether the focus was lost when a layer closed: it is on no element, or on a removed or hidden one. */
function isNowhere(focused: Element | null): boolean {
  return focused === null || focused === document.body || !focused.isConnected || focused.getClientRects().length === 0;
}
