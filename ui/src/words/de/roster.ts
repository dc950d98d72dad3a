import { counted, number, plural } from "../chosen";
import type { en } from "../en/roster";

const toolWord = { one: "Werkzeug", other: "Werkzeuge" };

export const de: typeof en = {
  listsBeingRead: "Die Listen werden gerade gelesen",
  refreshing: "Wird gelesen …",
  found: "Gefundene Werkzeuge",
  noMatch: "Kein Werkzeug passt.",
  best: (shown, total) => `Die besten ${shown} von ${number(total)}`,
  count: (total) => `${number(total)} gefunden`,

  exposed: "offen",
  held: (tools) => `${counted(tools, toolWord)} zurückgehalten`,
  heldFromAgents: (tools) => `${counted(tools, toolWord)} vor Agenten zurückgehalten, bis ${plural(tools, { one: "es", other: "sie" })} angenommen ${plural(tools, { one: "ist", other: "sind" })}`,
  heldOne: "zurückgehalten",
  heldOneFromAgents: "Vor Agenten zurückgehalten, bis es angenommen ist",
  changed: (tools) => `${counted(tools, toolWord)} gerade geändert`,
  changedByFiles: (tools) => `${counted(tools, toolWord)} mit der letzten Änderung der Dateien geändert`,
  difference: { new: "neu", changed: "geändert" },
  differsByFiles: "Durch die letzte Änderung der Dateien des Mitglieds",
  outdated: "Veraltet: von einer anderen Version oder Konfiguration",

  unreadable: (why) => `Die Liste ist nicht lesbar: ${why}`,
  reading: "Die Liste wird gelesen …",
  leftOut: (entries) => `${counted(entries, { one: "Eintrag", other: "Einträge" })} der Liste ausgelassen`,
  noTools: "Keine Werkzeuge. Mehr steht in seinem Log.",
  notKnown: "Die Werkzeuge sind nicht bekannt.",
  readWhenReady: "Die Werkzeuge werden gelesen, sobald es bereit ist.",

  log: "Log",
  restart: "Neu starten",
  restarting: "Startet neu …",
};
