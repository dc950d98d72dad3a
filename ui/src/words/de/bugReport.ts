import { counted } from "../chosen";
import type { en } from "../en/bugReport";

export const de: typeof en = {
  title: "Paket für einen Fehlerbericht",
  text: "Eine Datei mit dem, was nötig ist, um einen Fehler zu verstehen. Werte von Geheimnissen, und was danach aussieht, sind verdeckt. Vor dem Weitergeben bitte durchsehen.",
  contents: "was darin wäre",
  whatIsInIt: "Inhalt",
  notInIt: (what) => `▲ Nicht darin: ${what}`,
  file: "Datei",
  holds: "Inhalt der Datei",
  bytes: "Byte",
  masked: "Verdeckt",
  places: (count) => counted(count, { one: "Stelle", other: "Stellen" }),
  written: (path) => `✓ Geschrieben nach ${path}`,
  close: "Schließen",
  save: "Speichern …",
  saving: "Wird gespeichert …",
  noDialog: "Hier gibt es keinen Dialog für Dateien",
  beingWritten: "Wird gerade geschrieben",
  cannotBeMade: "Lässt sich nicht zusammenstellen",
  beingMade: "Wird gerade zusammengestellt",
};
