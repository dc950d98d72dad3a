/** The zoom of the page in percent, stored across restarts. The shell's web view applies it. */
import { Store } from "./store";
import { storeContext } from "./storeContext";
import { keepZoom, keptZoom, NORMAL_ZOOM } from "./kept";

const STEPS: readonly number[] = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];
export class Zoom {
  readonly percent = new Store(keptZoom());
  readonly #draw: (factor: number) => void;

  constructor(draw: (factor: number) => void) {
    this.#draw = draw;
  }

  larger(): void {
    this.set(STEPS.find((step) => step > this.percent.get()));
  }

  smaller(): void {
    this.set(STEPS.findLast((step) => step < this.percent.get()));
  }

  reset(): void {
    this.set(NORMAL_ZOOM);
  }

  /** Applies a zoom factor in percent; `undefined` keeps the current one. */
  set(percent: number | undefined): void {
    if (percent === undefined || percent === this.percent.get()) return;
    this.percent.set(percent);
    keepZoom(percent);
    this.#draw(percent / 100);
  }
}

export const [ZoomContext, useZoom] = storeContext<Zoom>("useZoom");
