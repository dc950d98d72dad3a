/** What the window knows of secrets: their names, where they are kept, who uses them. Never a value. */
import type { KeptSecret, Report, SecretPlace, Secrets } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { errorOf } from "../../../lib/errorOf";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";

export class SecretStore {
  /** The last received value; `null` until then. */
  readonly known = new Store<Secrets | null>(null);
  /** Why it could not be read. */
  readonly trouble = new Store<Report | null>(null);
  readonly #hall: Hall;
  /** Grows with each question: the answer to an older one is not taken. */
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

  /** Keeps a value, which is not remembered here. */
  async set(name: string, value: string, place: SecretPlace | null): Promise<KeptSecret | Report> {
    try {
      const kept = await this.#hall.ask("set_secret", { name, value, place });
      await this.read();
      return kept;
    } catch (reason) {
      return asRefusal(reason).report;
    }
  }

  /** Removes a secret; why it was not, where it was not. */
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
