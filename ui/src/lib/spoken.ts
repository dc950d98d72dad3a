/** The text that `Announcer` reads to screen reader users next. The same text can be announced several times. */
import { Store } from "./store";
import { storeContext } from "./storeContext";

export class Spoken {
  readonly #said = new Store({ text: "", times: 0 });
  readonly subscribe = this.#said.subscribe;

  /** The text of the last announcement. */
  readonly get = (): string => this.#said.get().text;

  /** The number of announcements, by which subscribers detect that the same text was set again. */
  readonly times = (): number => this.#said.get().times;

  readonly set = (text: string): void => this.#said.update(({ times }) => ({ text, times: times + 1 }));
}

export const [SpokenContext, useSpoken] = storeContext<Spoken>("useSpoken");
