/** The layers above the page, the newest on top. Each closes separately and returns the focus. */
import { Store } from "./store";
import { storeContext } from "./storeContext";

type Layer = "palette" | "keys" | "drawer" | "warnings" | "bundle" | "about" | "adding";

/** Layers that trap the focus. */
const DIALOGS: ReadonlySet<Layer | undefined> = new Set(["palette", "keys", "bundle", "about", "adding"]);

export class Layers {
  /** The open ones, the top one last. */
  readonly shown = new Store<readonly Layer[]>([]);
  /** The open questions above the page, each as the function that cancels it. */
  readonly asking = new Set<() => void>();
  /** The element that had the focus before each layer was opened. */
  readonly #from = new Map<Layer, Element | null>();
  /** The element that gets the focus back after a layer was closed. */
  #returning: Element | null = null;

  has(layer: Layer): boolean {
    return this.shown.get().includes(layer);
  }

  top(): Layer | undefined {
    return this.shown.get().at(-1);
  }

  /** Whether a dialog is above everything else. */
  isDialogOnTop(): boolean {
    return DIALOGS.has(this.top());
  }

  open(layer: Layer): void {
    if (this.has(layer)) return;
    // A layer that replaces another returns the focus to the element that had it before the first one.
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
    // Wait until the layer is removed: a dialog traps the focus while it is open.
    requestAnimationFrame(() => {
      if (this.#returning !== from) return;
      this.#returning = null;
      // A field and the button that shows it take each other's place, with one id.
      const there = from?.isConnected === false && from.id !== "" ? document.getElementById(from.id) : from;
      if (there instanceof HTMLElement && there.isConnected && isNowhere(document.activeElement)) there.focus();
    });
  }

  toggle(layer: Layer): void {
    if (this.has(layer)) this.close(layer);
    else this.open(layer);
  }

  /**
   * Closes all layers over the page, as Escape does, because they would hide a page opened from outside or
   * from the palette. With `stays`, questions and that layer stay open: it is visible above them and returns
   * the focus to them.
   */
  uncover(stays?: Layer): void {
    if (stays === undefined) for (const leave of [...this.asking]) leave();
    for (const layer of [...this.shown.get()].reverse()) if (layer !== stays) this.close(layer);
  }

  /** Closes the top one. Says whether there was any. */
  closeTop(): boolean {
    const top = this.top();
    if (top === undefined) return false;
    this.close(top);
    return true;
  }
}

export const [LayersContext, useLayers] = storeContext<Layers>("useLayers");

/** Whether the focus went with what was closed, and to nothing else since. */
function isNowhere(focused: Element | null): boolean {
  return focused === null || focused === document.body || !focused.isConnected || focused.getClientRects().length === 0;
}
