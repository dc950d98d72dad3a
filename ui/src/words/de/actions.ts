import type { Group } from "../../app/actions";
import { number } from "../chosen";
import type { en } from "../en/actions";

const groups: Record<Group, string> = { Find: "Suchen", Tool: "Werkzeug", Member: "Mitglied", "Go to": "Gehe zu", Window: "Fenster" };

const local: typeof en.local = {
  roster: {
    where: "In der Mitgliederliste",
    row: "Zur Zeile darüber oder darunter",
    branch: "Mitglied öffnen oder schließen, zu seinem ersten Werkzeug oder zurück",
    ends: "Zur ersten oder letzten Zeile",
    named: "Zum nächsten Namen, der so beginnt",
    open: "Öffnen, worauf der Cursor steht",
  },
  form: {
    where: "In einem Formular",
    run: "Prüfen und ausführen, aus einem einzeiligen Feld",
    next: "Zum nächsten Feld",
    actions: "Zu den Knöpfen neben einem Feld, dann Pfeile; Esc führt zurück",
  },
  history: {
    where: "Im Verlauf",
    other: "Zu einem anderen Aufruf",
    show: "Den Aufruf neben der Liste zeigen",
    mark: "Den Aufruf markieren, um zwei zu vergleichen",
    remove: "Den Aufruf oder den gespeicherten Aufruf entfernen",
    rename: "Den gespeicherten Aufruf umbenennen",
  },
  question: {
    where: "In der Frage eines Servers",
    send: "Die Werte prüfen und senden",
    cancel: "Die Frage abbrechen; ist schon etwas eingegeben, erst nach Rückfrage",
  },
  approval: {
    where: "Im Aufruf eines Agenten",
    allow: "Die Argumente prüfen und den Aufruf einmal erlauben",
  },
  found: {
    where: "In den gefundenen Servern",
    tick: "Den Server auswählen oder die Auswahl aufheben",
    other: "Zum Kästchen eines anderen Servers",
  },
  tools: {
    where: "In einer Tabelle von Werkzeugen",
    row: "Zu einer anderen Zeile",
    open: "Das Werkzeug öffnen; in einem Profil: die Angaben dazu ändern",
    policy: "Erlauben, zuerst fragen, verbieten",
    byRules: "Tun, was Regeln und Manifest sagen",
    choose: "Das Werkzeug für eine Änderung vieler wählen; in einem Profil: aufnehmen oder auslassen",
    several: "Mehrere wählen",
    all: "Alle gezeigten wählen, oder keines",
    undo: "Die letzte Änderung der Regeln zurücknehmen",
    reread: "Die Werkzeuge des Mitglieds der Zeile neu lesen",
  },
  divider: {
    where: "Auf einer Linie zwischen Bereichen",
    move: "Verschieben",
    ends: "Den Bereich so klein oder so groß machen wie möglich",
    reset: "Zurück an die erste Stelle",
  },
  everywhere: {
    where: "Überall",
    close: "Schließen, was zuoberst liegt",
  },
};

export const de: typeof en = {
  groups,
  local,

  findAnything: "Werkzeug, Mitglied oder Aktion suchen",
  findTool: "Werkzeug suchen",
  findCall: "Vergangenen Aufruf suchen",
  searchTools: "Alle Werkzeuge in der Mitgliederliste durchsuchen",
  allKeys: "Alle Tasten zeigen",
  saveBundle: "Paket für einen Fehlerbericht speichern …",

  run: "Werkzeug ausführen",
  sendAnyway: "Ohne Prüfung senden",
  toggleJson: "Zwischen Formular und JSON wechseln",
  saveCall: "Diese Argumente unter einem Namen speichern",
  copyAs: "Den Aufruf kopieren als …",
  cancelNewest: "Den neuesten laufenden Aufruf abbrechen",
  noTool: "Kein Werkzeug ist geöffnet",
  noCall: "Kein Aufruf läuft",

  restart: (member) => `${member ?? "Mitglied"} neu starten`,
  start: (member) => `${member ?? "Mitglied"} starten`,
  stop: (member) => `${member ?? "Mitglied"} anhalten`,
  refresh: (member) => (member === null ? "Werkzeugliste des Mitglieds neu lesen" : `Werkzeugliste von ${member} neu lesen`),
  log: (member) => (member === null ? "Log des Mitglieds zeigen" : `Log von ${member} zeigen`),
  resources: (member) => (member === null ? "Ressourcen des Mitglieds zeigen" : `Ressourcen von ${member} zeigen`),
  prompts: (member) => (member === null ? "Prompts des Mitglieds zeigen" : `Prompts von ${member} zeigen`),
  refreshAll: "Alle Werkzeuglisten neu lesen",
  noMember: "Kein Mitglied ist geöffnet",
  listsBeingRead: "Die Listen werden gerade gelesen",
  beingDone: "Ist in Arbeit",
  disabled: "Das Mitglied ist in seinem Manifest ausgeschaltet",
  unreviewed: "Niemand hat angenommen, was das Mitglied ausführt",
  runsAlready: "Läuft schon",
  isStarting: "Startet gerade",
  isStopping: "Hält gerade an",
  doesNotRun: "Läuft nicht",

  doctor: "Diesen Rechner prüfen",
  found: "Gefundene Server: was andere Programme haben",
  adding: "Mitglieder hinzufügen: Einfügen, Datei und andere Wege",
  discovery: "Ermittlung von Werkzeugen: Einstellungen, und ein Modell fragen",
  secrets: "Geheimnisse der Mitglieder",
  settings: "Einstellungen",
  nextRegion: "Zum nächsten Bereich",
  tabs: ["Zum ersten Reiter", "Zum zweiten Reiter", "Zum dritten Reiter", "Zum vierten Reiter"],
  noSuchTab: "Diesen Reiter gibt es hier nicht",
  welcome: "Willkommensseite zeigen",

  roster: "Mitgliederliste zeigen oder verbergen",
  dock: "Verlauf zeigen oder verbergen",
  savedCalls: "Alle gespeicherten Aufrufe zeigen",
  larger: "Alles größer darstellen",
  smaller: "Alles kleiner darstellen",
  ownSize: "Alles in eigener Größe darstellen",
  already: (percent) => `Es sind schon ${number(percent)} %`,
  themeOfSystem: "Aussehen: wie das System",
  theme: (name) => `Aussehen: ${name}`,
  languageOfSystem: "Sprache: wie das System",
  language: (name) => `Sprache: ${name}`,

  keys: "Tasten",
  everyKey: "Alle Tasten",
  searchKeys: "Tasten durchsuchen",
  noKey: "Keine Taste enthält diese Wörter.",
};
