import type { CopyForm, ToolMark } from "../../bridge/bindings";
import { counted } from "../chosen";
import type { en } from "../en/tool";

const mark: Record<ToolMark, string> = {
  new: "Δ neu seit der Annahme: vor Agenten zurückgehalten",
  changed: "Δ geändert seit der Annahme: vor Agenten zurückgehalten",
};

const copyForms: Record<CopyForm, string> = {
  "json-rpc": "JSON-RPC-Nachricht",
  curl: "curl-Skript",
  guildhall: "guildhall-Befehl",
  "client-config": "Konfiguration für einen Client",
};

export const de: typeof en = {
  theTool: "Werkzeug",
  cached: "gespeichert",
  cachedMeans: "Von früher; in diesem Lauf hat der Server es noch nicht gesagt",
  outdated: "▲ veraltet: von einer anderen Version oder Konfiguration",
  mark,
  markMeans: "Eigene Aufrufe gehen; Agenten bekommen es, sobald es angenommen ist",
  saysNothing: "Der Server sagt nicht, ob es etwas ändert oder zerstört.",
  says: "Der Server sagt: ",
  more: "mehr",
  less: "weniger",

  notConfirmed: (member) => `Der Server von ${member} hat dieses Werkzeug nicht bestätigt; es lässt sich nicht aufrufen.`,
  waits: (member) => `${member} startet; ein Aufruf wartet, bis es bereit ist.`,
  isDisabled: (member) => `${member} ist in seinem Manifest ausgeschaltet; seine Werkzeuge lassen sich nicht aufrufen.`,
  isUnreviewed: (member) => `Niemand hat angenommen, was ${member} ausführt; seine Werkzeuge lassen sich nicht aufrufen.`,
  startsFirst: (member) => `${member} läuft nicht; ein Aufruf startet es zuerst.`,
  beingStarted: (member) => `${member} wird gestartet …`,
  beingStartedSays: (member) => `${member} wird gestartet: `,

  formWidth: "Breite des Formulars",
  arguments: "Argumente",
  results: "Ergebnisse",

  runQuestion: (tool, member) => `${tool} von ${member} ausführen?`,
  mayDestroy: "Laut Server kann dieses Werkzeug etwas zerstören. Genau das wird gesendet:",
  mayDestroyUnchecked: "Laut Server kann dieses Werkzeug etwas zerstören. Genau das wird gesendet, ohne Prüfung gegen das Schema des Werkzeugs:",
  whatIsSent: "was gesendet wird",
  neverAskAgain: "Für dieses Werkzeug in diesem Fenster nicht mehr fragen",
  send: "Senden",
  doNotSend: "Nicht senden",
  sendKeys: "Tab zu einer Schaltfläche, dann Eingabe; Esc geht zurück.",

  copyAs: "Kopieren als",
  copyForms,
  copied: (what, note) => (note === null ? `Kopiert: ${what}.` : `Kopiert: ${what}. ${note}`),
  notCopied: (what) => `Nicht kopiert: ${what}.`,
  beingWritten: "wird geschrieben …",
  notSendable: (why) => `Das Formular lässt sich noch nicht senden: ${why ?? "Es enthält kein JSON"}`,

  running: "läuft",
  fresh: "neu",
  runs: "Aufrufe dieses Werkzeugs",
  cancel: "Abbrechen",
  cancelRun: (number) => `Aufruf ${number} abbrechen`,
  compare: "Vergleichen",
  areCompared: "Sie werden gerade verglichen",
  twoMustHaveEnded: "Zwei Aufrufe müssen geendet haben",
  compareTwo: "Zwei Ergebnisse vergleichen",
  left: "Links",
  right: "Rechts",
  swap: "Tauschen",
  back: "Zurück zum Ergebnis",

  calls: "Aufrufe",
  callsOfWindow: "Aufrufe dieses Fensters",
  ended: (tool, member, how) => `${tool} von ${member}: ${how}`,
  endedSeveral: (count, tool, member, how) => `${counted(count, { one: "Aufruf", other: "Aufrufe" })} beendet, zuletzt ${tool} von ${member}: ${how}`,
  cancelShort: "abbrechen",
  cancelCall: (tool, member, number) => `${tool} von ${member} abbrechen, Aufruf ${number}`,
  earlier: "Frühere Aufrufe: der Verlauf",
};
