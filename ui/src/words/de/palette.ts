import { counted, number } from "../chosen";
import type { en } from "../en/palette";

export const de: typeof en = {
  title: "Werkzeug, Mitglied oder Aktion suchen",
  field: "Werkzeug, Mitglied oder Aktion …   ? für Hilfe",
  list: "Gefundenes",
  reading: "Die Werkzeuglisten werden gelesen …",
  summary: (found) => `${number(found)} gefunden · ↑ ↓ wählt, Eingabe öffnet`,
  cannot: (entry, why) => `${entry}: ${why}`,

  lately: "Zuletzt",
  tools: (count) => `Werkzeuge (${number(count)})`,
  toolsThatSpeak: "Werkzeuge, deren Beschreibung die Wörter enthält",
  toolCount: (count) => counted(count, { one: "Werkzeug", other: "Werkzeuge" }),
  members: "Mitglieder",
  actions: "Aktionen",
  saved: "Gespeicherte Aufrufe",
  calls: "Vergangene Aufrufe",
  offers: (count) => `Ressourcen und Prompts (${number(count)})`,

  nothing: "Nichts heißt so.",
  noTool: "Kein Werkzeug heißt so oder spricht davon.",
  noTools: "Noch keine Mitglieder, also keine Werkzeuge.",
  noMember: "Kein Mitglied heißt so.",
  noMembers: "Noch keine Mitglieder.",
  noAction: "Keine Aktion heißt so.",
  noSaved: "Kein gespeicherter Aufruf heißt so.",
  noCall: "Kein vergangener Aufruf enthält diese Wörter.",
  noCalls: "Noch kein Aufruf aufgezeichnet.",
  noOffer: "Keine bekannte Ressource und kein bekannter Prompt heißt so.",

  whatCanBeFound: "Was sich suchen lässt",
  keys: "Tasten",
  ways: {
    all: "Werkzeuge, Mitglieder und Aktionen",
    tools: "Werkzeuge",
    members: "Mitglieder",
    actions: "Aktionen",
    calls: "vergangene und gespeicherte Aufrufe",
  },
  beginWith: (first) => `mit ${first} beginnen`,
  beginOtherwise: "mit etwas anderem beginnen",
};
