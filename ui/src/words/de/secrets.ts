import type { KeychainState, SecretPlace } from "../../bridge/bindings";
import { listed, plural } from "../chosen";
import type { en } from "../en/secrets";

const keychain: Record<KeychainState, string> = {
  ready: "Der Schlüsselbund antwortet",
  absent: "Kein Schlüsselbund",
  unanswered: "Der Schlüsselbund antwortet nicht",
};

const keptIn: Record<SecretPlace, string> = { keychain: "im Schlüsselbund", file: "in secrets.json" };

const isKept: Record<SecretPlace, (name: string) => string> = {
  keychain: (name) => `${name} ist im Schlüsselbund gespeichert.`,
  file: (name) => `${name} ist in einer Datei gespeichert.`,
};

export const de: typeof en = {
  secrets: "Geheimnisse",
  names: "Namen der Geheimnisse",
  howUsed: "Im Manifest steht ein Geheimnis als {reference}. Sein Wert lässt sich setzen und entfernen und wird nie angezeigt.",
  none: "Es ist kein Geheimnis gespeichert, und kein Mitglied verwendet eines. Oben lässt sich eines setzen, auch bevor ein Mitglied es verlangt.",
  keychain,
  keptIn,
  isKept,
  noValue: "kein Wert",
  noMemberUses: "von keinem Mitglied verwendet",
  usedBy: "verwendet von",
  openMember: (member) => `${member} öffnen`,

  newSecret: "Neues Geheimnis …",
  newForm: "Neues Geheimnis",
  nameField: "Name wie in {reference}",
  valueOf: (name) => `Wert von ${name}`,
  valueOfNew: "Wert des Geheimnisses",
  set: "Setzen …",
  replace: "Ersetzen …",
  setOne: (name) => `${name} setzen`,
  keep: "Speichern",
  keepAndStart: (member) => `Speichern und ${member} starten`,
  keepInFile: "Stattdessen in einer Datei speichern",
  cancel: "Abbrechen",
  beingKept: "Wird gerade gespeichert",
  hasNoName: "Noch ohne Namen",
  hasNoValue: "Noch ohne Wert",

  remove: "Entfernen …",
  removeOne: (name) => `${name} entfernen`,
  removeQuestion: (name) => `${name} entfernen?`,
  doRemove: "Entfernen",
  dontRemove: "Behalten",
  goneThen: "Der Wert ist dann verloren; Guild Hall kann ihn nicht wiederherstellen.",
  startNoMore: (members) => `Ohne einen Wert ${plural(members.length, { one: "startet", other: "starten" })} ${listed(members)} nicht mehr.`,
  removed: (name) => `${name} ist entfernt.`,
};
