import type { Freshness, Status } from "../../bridge/bindings";
import { counted, number } from "../chosen";
import type { en } from "../en/frame";
import type { Theme } from "../theme";

const status: Record<Status, string> = {
  stopped: "angehalten",
  starting: "startet",
  ready: "bereit",
  stopping: "hält an",
  error: "fehlgeschlagen",
  backoff: "neuer Versuch",
  "crash-loop": "Absturzschleife",
  disabled: "ausgeschaltet",
  unreviewed: "ungeprüft",
};

const freshness: Record<Exclude<Freshness, "live" | "unknown">, string> = {
  refreshing: "wird gelesen",
  cached: "gespeichert",
  outdated: "veraltet",
};

const themes: Record<Theme, string> = {
  system: "wie das System",
  light: "hell",
  dark: "dunkel",
  "contrast-light": "hoher Kontrast, hell",
  "contrast-dark": "hoher Kontrast, dunkel",
};

const keys: Readonly<Record<string, string>> = {
  Ctrl: "Strg",
  Shift: "Umschalt",
  Enter: "Eingabe",
  Space: "Leertaste",
  Delete: "Entf",
  Home: "Pos1",
  End: "Ende",
  Insert: "Einfg",
  Backspace: "Rücktaste",
  PageUp: "Bild auf",
  PageDown: "Bild ab",
};

const tools = { one: "Werkzeug", other: "Werkzeuge" };

export const de: typeof en = {
  status,
  freshness,
  themes,
  keys,
  findAnything: "Werkzeug, Mitglied, Aktion suchen …",
  theme: (name) => `Aussehen: ${name}`,
  themeAndNext: (name) => `Aussehen: ${name}. Ein Klick wählt das nächste.`,
  roster: "Mitglieder",
  tools: "Werkzeuge",
  toolCount: (count) => counted(count, tools),
  membersAndTools: (members, count) => `${counted(members, { one: "Mitglied", other: "Mitglieder" })} mit ${counted(count, { one: "Werkzeug", other: "Werkzeugen" })}`,
  add: "Neu …",
  addMembers: "Mitglieder hinzufügen",
  addMembersNow: "Mitglieder hinzufügen …",
  refresh: "Neu lesen",
  refreshAll: "Alle Werkzeuglisten neu lesen; dazu nötige Mitglieder werden gestartet",
  noMembers: "Es gibt keine Mitglieder",
  noMembersYet: "Noch keine Mitglieder. Die Seite daneben sagt, wie eines hinzukommt.",
  search: "Alle Werkzeuge durchsuchen",
  searchWithKey: (keys) => (keys === undefined ? "Alle Werkzeuge durchsuchen" : `Alle Werkzeuge durchsuchen  ${keys}`),
  tree: "Mitglieder und ihre Werkzeuge",
  running: (calls) => `${number(calls)} in Ausführung`,
  callsRunning: (calls) => counted(calls, { one: "Aufruf läuft", other: "Aufrufe laufen" }),
  ready: (members) => `${number(members)} bereit`,
  starting: (members) => `${number(members)} ${members === 1 ? "startet" : "starten"}`,
  failed: (members) => `${number(members)} fehlgeschlagen`,
  agents: "Agenten",
  history: "Verlauf",
  saveBundle: "Paket für einen Fehlerbericht speichern",
  program: (version) => `Guild Hall ${version}`,
};
