/** A guided tour of the most important parts of the window. It never starts by itself. */
import { keep, readKept } from "../../lib/kept";
import { focusPage } from "../../lib/regions";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import type { TryOutStores } from "../home/trying";

/** The names of the stops, which are also the keys of their texts. */
export type StopName = "roster" | "form" | "result" | "history" | "agents" | "palette";

export interface Stop {
  readonly name: StopName;
  /** CSS selectors of the element that the stop explains. The first visible element is used. */
  readonly at: readonly string[];
  /** Opens the page that contains the element. */
  readonly prepare?: (tour: Tour, stores: TryOutStores) => void;
}

export const STOPS: readonly Stop[] = [
  { name: "roster", at: ["#roster", '[data-tour="roster"]'] },
  { name: "form", at: ['[data-tour="form"]', "main"], prepare: openTool },
  { name: "result", at: ['[data-testid="result"]', "main"], prepare: openTool },
  { name: "history", at: ['[data-tour="history"]', '[data-tour="roster"]'] },
  { name: "agents", at: ['[data-testid="gateway-mark"]'] },
  { name: "palette", at: ['[data-tour="palette"]'] },
];

/** Opens a tool, unless a tool is open already. */
function openTool(tour: Tour, stores: TryOutStores): void {
  if (stores.navigation.place.get().kind === "tool") return;
  // If the module can't be loaded, the stop explains the current page.
  import("../home/trying").then(({ tryOut }) => tryOut(stores, false, () => tour.stop.get() !== null), () => undefined);
}

const OFFERED = "tour-offered";

export class Tour {
  /** The index of the current stop; `null` while no tour is running. */
  readonly stop = new Store<number | null>(null);
  /** Whether the user started or declined the tour. The tour is then no longer offered. */
  readonly known = new Store<boolean>(readKept(OFFERED, (value) => (value === true ? true : undefined), false));
  readonly #stores: TryOutStores;
  /** The element that had the focus before the tour began. */
  #from: Element | null = null;

  constructor(stores: TryOutStores) {
    this.#stores = stores;
  }

  begin(): void {
    this.decline();
    if (this.stop.get() === null) this.#from = document.activeElement;
    this.#goTo(0);
  }

  /** Stops offering the tour. The user can still start it. */
  decline(): void {
    this.known.set(true);
    keep(OFFERED, true);
  }

  /** Moves to the next stop. After the last stop, the tour ends. */
  next(): void {
    const now = this.stop.get();
    if (now === null) return;
    if (now + 1 < STOPS.length) this.#goTo(now + 1);
    else this.leave();
  }

  back(): void {
    const now = this.stop.get();
    if (now !== null && now > 0) this.#goTo(now - 1);
  }

  /** Ends the tour, and returns the focus to the element that had it before. */
  leave(): void {
    this.stop.set(null);
    const from = this.#from;
    this.#from = null;
    requestAnimationFrame(() => {
      if (from instanceof HTMLElement && from.isConnected && from !== document.body) from.focus();
      else focusPage();
    });
  }

  #goTo(stop: number): void {
    STOPS[stop]?.prepare?.(this, this.#stores);
    this.stop.set(stop);
  }
}

export const [TourContext, useTour] = storeContext<Tour>("useTour");
