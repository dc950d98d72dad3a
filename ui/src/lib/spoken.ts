/** The text that `Announcer` reads to screen reader users next. The same text can be announced several times. */
import { storeContext } from "./storeContext";

export class Spoken {
  #text = "";
  #times = 0;
  readonly #listeners = new Set<() => void>();

  /** The text of the last announcement. */
  readonly get = (): string => this.#text;

  /** The number of announcements, by which subscribers detect that the same text was set again. */
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
