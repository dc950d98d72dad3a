/** What lies above the page, the newest on top. Each closes by itself and gives the focus back. */
import { Store } from "../hall/store";
import { focusNearest, placeOf, type FocusPlace } from "./regions";

export type Layer = "palette" | "keys" | "drawer" | "warnings" | "bundle" | "about";

export class Layers {
  /** The open ones, the top one last. */
  readonly shown = new Store<readonly Layer[]>([]);
  /** Where the focus was before each was opened. */
  readonly #from = new Map<Layer, FocusPlace>();
  /** Where the focus is on its way to, after a layer was closed. */
  #returning: FocusPlace | null = null;

  has(layer: Layer): boolean {
    return this.shown.get().includes(layer);
  }

  top(): Layer | undefined {
    return this.shown.get().at(-1);
  }

  open(layer: Layer): void {
    if (this.has(layer)) return;
    // One that opens in another's place gives the focus back to where that one had it from.
    this.#from.set(layer, this.#returning ?? placeOf(document.activeElement));
    this.#returning = null;
    this.shown.update((layers) => [...layers, layer]);
  }

  close(layer: Layer): void {
    if (!this.has(layer)) return;
    this.shown.update((layers) => layers.filter((other) => other !== layer));
    const from = this.#from.get(layer) ?? null;
    this.#from.delete(layer);
    this.#returning = from;
    // Once it is off the screen: a dialog holds the focus as long as it stands there.
    requestAnimationFrame(() => {
      if (this.#returning !== from) return;
      this.#returning = null;
      if (from !== null && isNowhere(document.activeElement)) focusNearest(from);
    });
  }

  toggle(layer: Layer): void {
    if (this.has(layer)) this.close(layer);
    else this.open(layer);
  }

  /** Closes the top one. Says whether there was any. */
  closeTop(): boolean {
    const top = this.top();
    if (top === undefined) return false;
    this.close(top);
    return true;
  }
}

/** Whether the focus went with what was closed, and to nothing else since. */
function isNowhere(focused: Element | null): boolean {
  return focused === null || focused === document.body || !focused.isConnected || focused.getClientRects().length === 0;
}
