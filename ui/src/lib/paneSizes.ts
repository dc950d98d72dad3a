/** The sizes that the user chose for panes, stored across restarts. */
import { keep, numberWithin, readKept } from "./kept";
import { Store } from "./store";
import { storeContext } from "./storeContext";

export class PaneSizes {
  readonly #sizes = new Map<string, Store<number | null>>();

  /** The chosen size of a pane, in the pane's unit (pixels or percent); `null` for the default. */
  of(name: string, least: number, most: number): Store<number | null> {
    const known = this.#sizes.get(name);
    if (known) return known;
    const size = new Store<number | null>(readKept<number | null>(name, numberWithin(least, most), null));
    size.subscribe(() => keep(name, size.get() ?? undefined));
    this.#sizes.set(name, size);
    return size;
  }
}

export const [PaneSizesContext, usePaneSizes] = storeContext<PaneSizes>("usePaneSizes");
