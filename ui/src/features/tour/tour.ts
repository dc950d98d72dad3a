/** A walk past the parts of the window that matter most. It never begins by itself. */
import { keep, readKept } from "../../lib/kept";
import { focusPage } from "../../lib/regions";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import type { TryOutStores } from "../home/trying";

/** The subject of a stop, and the key of its words. */
export type StopName = "roster" | "form" | "result" | "history" | "agents" | "palette";

export interface Stop {
  readonly name: StopName;
  /** The selectors of its subject; the first visible element is shown. */
  readonly at: readonly string[];
  /** Brings on the screen what it points to. */
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

/** A tool that lies open already is as good as any. */
function openTool(tour: Tour, stores: TryOutStores): void {
  if (stores.navigation.place.get().kind === "tool") return;
  // If it can't be fetched, the stop points to the unchanged page.
  import("../home/trying").then(({ tryOut }) => tryOut(stores, false, () => tour.stop.get() !== null), () => undefined);
}

const OFFERED = "tour-offered";

export class Tour {
  /** The current stop; `null` while no tour is running. */
  readonly stop = new Store<number | null>(null);
  /** Whether the user began or declined the tour; it is then no longer offered. */
  readonly known = new Store<boolean>(readKept(OFFERED, (value) => (value === true ? true : undefined), false));
  readonly #stores: TryOutStores;
  /** The element that had the focus before the tour. */
  #from: Element | null = null;

  constructor(stores: TryOutStores) {
    this.#stores = stores;
  }

  begin(): void {
    this.decline();
    if (this.stop.get() === null) this.#from = document.activeElement;
    this.#goTo(0);
  }

  /** Has it offered no more. It can still be begun. */
  decline(): void {
    this.known.set(true);
    keep(OFFERED, true);
  }

  /** The stop after this one; after the last the tour is over. */
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

  /** Ends it, and gives the focus back to where it was. */
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
