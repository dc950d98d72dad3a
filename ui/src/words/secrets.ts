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
  secrets: "Secrets",
  names: "the names of the secrets",
  /** `{reference}` is how a manifest writes it. */
  howUsed: "A manifest names one as {reference}. A value can be set and removed, and is never shown.",
  none: "No secret is kept, and no member uses one. One can be set above, also before a member asks for it.",
  keychain,
  keptIn,
  isKept,
  noValue: "no value",
  noMemberUses: "no member uses it",
  usedBy: "used by",
  openMember: (member: string) => `Open ${member}`,

  newSecret: "New secret…",
  newForm: "A new secret",
  /** `{reference}` is how a manifest writes it. */
  nameField: "Name, as in {reference}",
  valueOf: (name: string) => `Value of ${name}`,
  valueOfNew: "Value of the secret",
  set: "Set…",
  replace: "Replace…",
  setOne: (name: string) => `Set ${name}`,
  keep: "Keep it",
  keepAndStart: (member: string) => `Keep it and start ${member}`,
  keepInFile: "Keep it in a file instead",
  cancel: "Cancel",
  beingKept: "It is being kept",
  hasNoName: "It has no name yet",
  hasNoValue: "It has no value yet",

  remove: "Remove…",
  removeOne: (name: string) => `Remove ${name}`,
  removeQuestion: (name: string) => `Remove ${name}?`,
  doRemove: "Remove",
  dontRemove: "Keep it",
  goneThen: "Its value is gone then, and Guild Hall can't bring it back.",
  startNoMore: (members: readonly string[]) => `${members.join(", ")} will not start again without one.`,
  removed: (name: string) => `${name} is removed.`,
};
