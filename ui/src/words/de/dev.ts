import type { DevStep, ExampleEnd, ExamplePart } from "../../bridge/bindings";
import { counted } from "../chosen";
import type { en } from "../en/dev";

const steps: Record<DevStep, string> = {
  building: "wird gebaut",
  restarting: "startet neu",
  checking: "Beispiele laufen",
  passed: "bestanden",
  "examples-failed": "Beispiele fehlgeschlagen",
  "build-failed": "Bau fehlgeschlagen",
  "start-failed": "nicht gestartet",
  "not-running": "angehalten, und bleibt es",
  "broken-off": "abgebrochen",
};

const ends: Record<ExampleEnd, string> = { passed: "bestanden", failed: "fehlgeschlagen", "left-out": "nicht ausgeführt" };

const parts: Record<ExamplePart, string> = {
  answer: "Kein Ergebnis",
  "is-error": "Ob es fehlschlug",
  text: "Der Text",
  structured: "Der strukturierte Inhalt",
  schema: "Das Schema des Beispiels",
  "output-schema": "Das Ausgabeschema des Werkzeugs",
};

const changed = (tools: number) => `${counted(tools, { one: "Werkzeug", other: "Werkzeuge" })} geändert`;
const failed = (examples: number) => `${counted(examples, { one: "Beispiel", other: "Beispiele" })} fehlgeschlagen`;

export const de: typeof en = {
  steps,
  up: "läuft",
  ends,
  parts,
  partAt: (part, place) => `${parts[part]} bei ${place}`,
  partIn: (part) => `${parts[part]} bei {place}`,
  changed,
  failed,
  asAsked: "Die Beispiele, auf Wunsch",
  files: (names, more) =>
    more === 0 ? names.join(", ") : `${names.join(", ")} und ${counted(more, { one: "weitere Datei", other: "weitere Dateien" })}`,
  ended: (member, step, tools, examples) =>
    [`${member}: ${step}`, tools > 0 ? changed(tools) : "", examples > 0 ? failed(examples) : ""].filter(Boolean).join(", "),

  whatIsWatched: "was beobachtet wird",
  lastChanges: "Letzte Änderungen",
  filesTitle: "Dateien",
  watched: "Beobachtet: {patterns}",
  allFiles: "Beobachtet: alle Dateien, die Menschen schreiben",
  watchedCount: (files, folders) =>
    ` (${counted(files, { one: "Datei", other: "Dateien" })} in ${counted(folders, { one: "Ordner", other: "Ordnern" })})`,
  builtBy: "Zuerst gebaut mit {command}",
  afterChange: "Nach einer Änderung startet das Mitglied neu, seine Werkzeuge werden verglichen, und seine Beispiele laufen.",
  notWatched: "Nicht beobachtet. Wer diesen Server schreibt, setzt {setting} in seine plugin.json.",
  examples: "Beispiele",
  areRunning: "Sie laufen schon",
  runExamples: (count) => `${counted(count, { one: "Beispiel", other: "Beispiele" })} ausführen`,
  running: "Läuft …",
  noExample: "Keine. Ein Beispiel ist ein Aufruf mit dem, was sein Ergebnis sein muss; {button} auf der Seite eines Werkzeugs legt eines an.",
  examplesInManifest: "Beispiele im Manifest",
  run: "Ausführen",
  runOne: (name) => `${name} ausführen`,

  stoppedBySomebody: "Jemand hat das Mitglied angehalten. Nach dem Starten läuft der neue Code.",
  toolsChanged: "Geänderte Werkzeuge",
  moreTools: (count) => `und ${counted(count, { one: "weiteres Werkzeug", other: "weitere Werkzeuge" })}`,
  building: "Wird gebaut …",
  builtIn: (took) => `Gebaut in ${took}`,
  buildWrote: "Die letzten Zeilen des Baus",
  expected: "erwartet",
  got: "erhalten",
  nothing: "nichts",

  example: "Beispiel …",
  keepMeans: "Diesen Aufruf als Prüfung in plugin.json festhalten",
  runFirst: "Zuerst das Werkzeug ausführen: Sein Aufruf wird das Beispiel",
  keepTitle: "Diesen Aufruf als Beispiel festhalten",
  goesInto: (number, member) =>
    `Aufruf #${number} von {tool} kommt in die plugin.json von ${member}, ans Ende der Beispiele. Sonst ändert sich in der Datei nichts.`,
  expect: "Erwarten",
  works: "es gelingt",
  saysFailed: "das Werkzeug meldet einen Fehler",
  sameText: "der Text, der zu sehen ist",
  sameContent: "mindestens der strukturierte Inhalt, der zu sehen ist",
  name: "Name",
  keep: "Festhalten",
  kept: "Der Aufruf ist jetzt ein Beispiel.",
};
