import type { HelpWords } from "../en/help";

export const help: HelpWords = {
  title: "Hilfe",
  open: "Hilfe zu dem, was hier zu sehen ist",
  openCode: (code) => `${code}: was das heißt und was zu tun ist`,
  search: "Handbuch und Fehler durchsuchen",
  found: (count) => `${count} gefunden`,
  nothing: "Kein Abschnitt enthält diese Wörter.",
  contents: "Inhalt",
  books: { "user-guide": "Handbuch", errors: "Fehlercodes" },
  back: "Zurück",
  backTo: "Zurück zur vorigen Stelle",
  before: "Davor",
  next: "Danach",
  missing: "Diesen Abschnitt gibt es nicht. Im Inhalt stehen alle, die es gibt.",
  firstSteps: "Erste Schritte",
  tour: "Rundgang beginnen",
  sections: "In Handbuch und Fehlern",
  about: "Über Guild Hall …",
  keys: "Alle Tasten …",
};
