import type { KeychainState, SecretPlace } from "../bridge/bindings";

const keychain: Record<KeychainState, string> = {
  ready: "The keychain answers",
  absent: "No keychain",
  unanswered: "The keychain does not answer",
};

const keptIn: Record<SecretPlace, string> = { keychain: "in the keychain", file: "in secrets.json" };

const isKept: Record<SecretPlace, (name: string) => string> = {
  keychain: (name) => `${name} is kept in the keychain.`,
  file: (name) => `${name} is kept in a file.`,
};

export const words = {
  keychain,
  keptIn,
  isKept,

  setOne: (name: string) => `Set ${name}`,
};
