/** What there is outside the page; tests have it show places, and take parts of it away. */
import type { Presence, Shown } from "../outside";

export class FakeOutside {
  /** How it stands with each part. */
  presence: Presence = { tray: { kind: "on" }, shortcut: { kind: "off" }, login: { kind: "off" }, notifications: { kind: "waiting" } };
  readonly #shown = new Set<(shown: Shown) => void>();

  /** Has the page show something. */
  show(shown: Shown): void {
    for (const handler of this.#shown) handler(shown);
  }

  readonly listen = (handler: (shown: Shown) => void): (() => void) => {
    this.#shown.add(handler);
    return () => this.#shown.delete(handler);
  };
}
