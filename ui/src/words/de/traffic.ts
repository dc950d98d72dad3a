import { counted, number, plural } from "../chosen";
import type { en } from "../en/traffic";

export const de: typeof en = {
  traffic: "Datenverkehr",
  theTraffic: "Datenverkehr",
  width: "Breite der Tabelle",
  member: "Mitglied",
  anyMember: "jedes Mitglied",
  client: "Client",
  anyClient: "jeder Client",
  goOn: "Fortsetzen",
  pause: "Anhalten",
  exchanges: (count) => counted(count, { one: "Anfrage", other: "Anfragen" }),
  newestExchanges: (count) => `die ${plural(count, { one: "neueste Anfrage", other: `neuesten ${number(count)} Anfragen` })}`,
  heldBack: (count) => `${counted(count, { one: "weitere Anfrage", other: "weitere Anfragen" })} seit dem Anhalten`,
  paused: "angehalten",
  nothingYet:
    "Noch hat kein Agent etwas angefragt. Anfragen erscheinen hier mit ihren Antworten, Geheimnisse unkenntlich gemacht. Unter „Verbinden“ steht, wie ein Programm vom Gateway erfährt.",
  nothingFits: "Keine der Anfragen passt.",
  newestFirst: "Anfragen der Agenten, die neuesten zuerst",
  keys: "Eingabe zeigt Anfrage und Antwort.",
  columns: {
    time: "Zeit",
    client: "Client",
    endpoint: "Endpunkt",
    method: "Methode",
    tool: "Mitglied › Werkzeug",
    took: "Dauer",
    asked: "Anfrage",
    answered: "Antwort",
  },

  requestAndAnswer: "Anfrage und Antwort",
  ofMember: (member) => `von ${member}`,
  close: "Schließen",
  dropped: (fields: string) => `Vor dem Aufruf entfernt, weil der Client es jedem Werkzeug hinzufügt: ${fields}`,
  request: { title: "Anfrage", text: "Anfrage" },
  answer: { title: "Antwort", text: "Antwort" },
  size: (whole, kept) => `${whole}${kept === null ? "" : `, davon aufbewahrt die ersten ${kept}`}, Geheimnisse unkenntlich gemacht`,
};
