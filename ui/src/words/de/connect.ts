import type { ConfigDeed } from "../../agents/connect/useConfigChange";
import { counted, number } from "../chosen";
import type { en } from "../en/connect";

const done: Record<ConfigDeed, string> = { written: "Geschrieben.", undone: "Die Datei ist wieder wie vorher." };

const backup: Record<ConfigDeed, string> = { written: "Der vorige Stand liegt in {file}.", undone: "Das Zurückgenommene liegt in {file}." };

export const de: typeof en = {
  tokenOfItsOwn:
    "Jedes Programm bekommt ein eigenes Token, wenn Guild Hall seine Datei schreibt. Geändert wird nur der Eintrag des Gateways; der Rest der Datei bleibt, wie er ist.",
  notListening: "Das Gateway nimmt gerade keine Verbindungen an: Bis dahin erreicht ein verbundenes Programm nichts.",
  files: "Dateien der Programme",
  noProgram: "Es ist kein Programm bekannt, dessen Konfiguration das Gateway nennen könnte.",
  programs: "Programme",
  connected: "verbunden",
  notConnected: "nicht verbunden",
  noFile: "noch keine Datei",
  whatToWrite: "Eintrag anzeigen",
  undo: "Rückgängig",
  write: "Schreiben …",
  writeAnew: "Neu schreiben …",
  isTold: (program) => `${program} kennt jetzt das Gateway.`,
  fileAsWas: (program) => `Die Datei von ${program} ist wieder wie vorher.`,
  entryOfGateway: { says: "Was in der Datei für das Gateway steht", label: (program) => `Eintrag für ${program}`, copied: (program) => `Eintrag für ${program}` },
  entryOfMember: {
    says: "Oder das Mitglied selbst, sodass es ohne Guild Hall läuft",
    label: (program) => `Eintrag des Mitglieds für ${program}`,
    copied: (program) => `Eintrag des Mitglieds für ${program}`,
  },
  beingDone: "Ist in Arbeit",

  previewFor: (program) => `Vorschau für ${program}`,
  saysSo: "So steht es schon in der Datei: Es würde sich nichts ändern.",
  fileMade: "Die Datei wird angelegt:",
  wouldChange: "Die Datei würde sich so ändern:",
  tokenLater: "Das Token entsteht beim Schreiben und wird hier nicht gezeigt.",
  entryGoes: "Dieser Eintrag entfällt: {entries}. {program} erreicht ihn dann über Guild Hall, solange Guild Hall läuft.",
  entriesGo: "Diese Einträge entfallen: {entries}. {program} erreicht sie dann über Guild Hall, solange Guild Hall läuft.",
  shared: "Die Datei gehört zu {project}: Wer das teilt, gibt auch die Änderung weiter – und das Token.",
  comparing: "wird verglichen",
  tooLong: (most) => `Die Datei hat mehr als ${number(most)} Zeilen; das ist zum Vergleichen zu viel.`,
  lines: (count) => counted(count, { one: "Zeile", other: "Zeilen" }),
  makeFile: "Datei anlegen",
  writeFile: "Datei schreiben",
  leave: "Nicht ändern",

  done,
  backup,
  toDoNow: "Was jetzt zu tun ist:",
};
