/** The text of the palette, and the functions that open it. */
import type { Layers } from "../../lib/layers";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import { prefixOf, type Prefix } from "./prefixes";

export class PaletteState {
  readonly text = new Store("");
  readonly #layers: Layers;

  constructor(layers: Layers) {
    this.#layers = layers;
  }

  open(text: string): void {
    // If the palette is open already, its text is not replaced.
    if (!this.#layers.has("palette")) this.text.set(text);
    this.#layers.open("palette");
  }

  /**
   * Handles a shortcut of the palette. An open palette switches to the kind of results that `prefix` selects and keeps
   * the rest of the text. If the palette shows that kind already, the palette closes.
   */
  press(prefix: Prefix | ""): void {
    const text = this.text.get();
    const before = prefixOf(text);
    if (!this.#layers.has("palette")) this.open(prefix);
    else if (before === prefix) this.#layers.close("palette");
    else this.text.set(prefix + text.slice(before.length));
  }
}

export const [PaletteStateContext, usePaletteState] = storeContext<PaletteState>("usePaletteState");
