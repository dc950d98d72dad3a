/** Mocks the secrets. It stores names and storage locations, but no values. */
import type { KeychainState, Report, SecretView } from "../bindings";
import type { Answers } from "../answers";
import { Refusal } from "../bridge";

export class MockSecrets {
  secrets: SecretView[] = [];
  keychain: KeychainState = "ready";
  warning: Report | null = null;
  /** The failure of storing a secret in the keychain; `null` if storing succeeds. */
  refusing: Report | null = null;

  readonly handlers: Answers = {
    secrets: () => Promise.resolve(this.#all()),
    set_secret: ({ name, place }) => {
      if (this.refusing && place !== "file") return Promise.reject(new Refusal(this.refusing));
      const kept = place ?? (this.keychain === "ready" ? "keychain" : "file");
      const known = this.secrets.find((secret) => secret.name === name);
      const others = this.secrets.filter((secret) => secret.name !== name);
      this.secrets = [...others, { name, kept, members: known?.members ?? [] }].sort((a, b) => (a.name < b.name ? -1 : 1));
      return Promise.resolve({ name, place: kept, warning: kept === "file" ? this.warning : null });
    },
    remove_secret: ({ name }) => {
      this.secrets = this.secrets.flatMap((secret) => {
        if (secret.name !== name) return [secret];
        return secret.members.length > 0 ? [{ ...secret, kept: null }] : [];
      });
      return Promise.resolve(this.#all());
    },
  };

  #all() {
    return { secrets: this.secrets, keychain: this.keychain, warning: this.warning };
  }
}
