/**
 * The state of the secrets: their names, where they are stored, and the members that use them. It never contains a
 * value.
 */
import type { KeptSecret, Report, SecretPlace, Secrets } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { errorOf } from "../../../lib/errorOf";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";

export class SecretStore {
  /** The last received list; `null` before the first response. */
  readonly known = new Store<Secrets | null>(null);
  /** The error of the last read. */
  readonly trouble = new Store<Report | null>(null);
  readonly #hall: Hall;
  /** Incremented with each request, so that the response to an older request is discarded. */
  #turn = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
  }

  async read(): Promise<void> {
    this.#turn += 1;
    const mine = this.#turn;
    try {
      const known = await this.#hall.ask("secrets", {});
      if (mine === this.#turn) this.#know(known);
    } catch (reason) {
      if (mine === this.#turn) this.trouble.set(asRefusal(reason).report);
    }
  }

  /** Sends a secret to the engine, which stores it. The value is not kept in the window. */
  async set(name: string, value: string, place: SecretPlace | null): Promise<KeptSecret | Report> {
    try {
      const kept = await this.#hall.ask("set_secret", { name, value, place });
      await this.read();
      return kept;
    } catch (reason) {
      return asRefusal(reason).report;
    }
  }

  /** Removes a secret. Returns the error if the request failed. */
  remove(name: string): Promise<Report | null> {
    return errorOf(async () => {
      const known = await this.#hall.ask("remove_secret", { name });
      this.#turn += 1;
      this.#know(known);
    });
  }

  #know(known: Secrets): void {
    this.known.set(known);
    this.trouble.set(null);
  }
}

export const [SecretStoreContext, useSecretStore] = storeContext<SecretStore>("useSecretStore");
