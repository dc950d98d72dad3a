import type { WritingWords } from "../en/writing";

export const writing: WritingWords = {
  whatItIs: "Ein kleiner Server, der läuft und sich zu einem eigenen umbauen lässt: zwei Werkzeuge mit Schemas, ein Fortschritt, ein lesbarer Fehler und Beispiele, die geprüft werden. Ein Befehl im Terminal legt ihn in den Ordner der Mitglieder.",
  language: "Sprache",
  name: "Name des Mitglieds",
  noName: "Ein Name hat 1 bis 64 Buchstaben, Ziffern, Punkte, Binde- und Unterstriche.",
  taken: (name) => `Ein Mitglied namens ${name} gibt es schon.`,
  steps: "Was auszuführen ist",
  command: "Befehl",
  begin: "Im Terminal:",
  setUp: "In dem Ordner, den es nennt, einmal:",
  then: "Innerhalb einer Sekunde steht es in der Mitgliederliste. Der Reiter Dev seiner Seite zeigt jede Änderung seiner Dateien, was sie an den Werkzeugen ändert und wie die Beispiele ausgingen.",
  guide: "Ein Mitglied schreiben, im Handbuch",
};
