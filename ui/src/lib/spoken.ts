/** Polite screen reader announcements; see the announcer. The same text may be announced several times. */
import { storeContext } from "./storeContext";

export class Spoken {
  #text = "";
  #times = 0;
  readonly #listeners = new Set<() => void>();

  /** The last announcement. */
  readonly get = (): string => this.#text;

  /** The number of announcements: a repeated text is announced again. */
  readonly times = (): number => this.#times;

  readonly set = (text: string): void => {
    this.#text = text;
    this.#times += 1;
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const [SpokenContext, useSpoken] = storeContext<Spoken>("useSpoken");
