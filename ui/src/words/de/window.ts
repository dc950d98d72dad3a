import { counted, keyed, listed, number } from "../chosen";
import type { en } from "../en/window";

export const de: typeof en = {
  closeRoster: "Mitgliederliste schließen",
  rosterWidth: "Breite der Mitgliederliste",
  cancel: "abbrechen",
  warningCount: (count) => counted(count, { one: "Warnung", other: "Warnungen" }),

  dock: "Dock",
  dockHeight: "Höhe des Docks",
  savedCalls: "Gespeicherte Aufrufe",
  smallerDock: "Dock verkleinern",
  largerDock: "Dock vergrößern",
  closeDock: "Dock schließen",
  closeByKey: (keys) => keyed("Schließen", keys),

  close: "Schließen",
  dismiss: "Ausblenden",
  saveBundle: "Paket für einen Fehlerbericht speichern …",
  warnings: "Warnungen",
  noConnection: "Keine Verbindung",
  notUpToDate: "Was hier steht, ist nicht mehr auf dem neuesten Stand.",

  gone: (member) =>
    `${member} ist nicht mehr im Ordner der Mitglieder. Kommt es zurück, kommt auch seine Seite zurück; bis dahin stehen die anderen in der Mitgliederliste.`,
  showWelcome: "Willkommensseite zeigen",
  pageNotShown: "Diese Seite lässt sich nicht anzeigen.",
  tryAgain: "Noch einmal versuchen",

  haveFailed: (count, names) => `${number(count)} Mitglieder sind fehlgeschlagen: ${listed(names)}`,
  hasFailed: (member, why) => `${member} ist fehlgeschlagen. ${why}`,
  listsUnread: (members) => `Die Werkzeuglisten von ${number(members.length)} Mitgliedern waren nicht lesbar: ${listed(members)}.`,
  counts: (ready, starting, failed) => `${number(ready)} bereit, ${number(starting)} im Start, ${number(failed)} fehlgeschlagen`,

  beingWritten: "Wird gerade geschrieben",
  nothingToWrite: "Es gibt nichts zu schreiben",
  notWritten: "Nicht geschrieben:",
};
