import { counted, number } from "../chosen";
import type { en } from "../en/agentView";

const tools = (count: number) => counted(count, { one: "Werkzeug", other: "Werkzeuge" });

export const de: typeof en = {
  whatAgentSees: "Sicht des Agenten",
  mode: "Modus",
  ownMode: "wie am Endpunkt eingestellt",
  parts: "Teile dessen, was der Agent sieht",
  tools: (count) => `Werkzeuge (${number(count)})`,
  withheld: (count) => `Zurückgehalten (${number(count)})`,
  costByMember: "Kosten je Mitglied",
  trySearch: "Suche ausprobieren",
  payload: "Gesendeter Inhalt",
  whatItCosts: "Was es kostet",
  listed: (count, size) => `${tools(count)} aufgelistet, ${size}`,
  tokens: "Token",
  againstFull: "Gegenüber full",
  payloadCut: (shown, all) => `Nur die ersten ${shown} von ${all} werden gezeigt; der Agent erhält alles.`,
  payloadOf: "Ergebnis von tools/list",

  noTool: "Ein Agent erhält hier kein Werkzeug. Was zurückgehalten wird und warum, steht unter „Zurückgehalten“.",
  toolsOfAgent: "Werkzeuge, die der Agent erhält",
  nameForAgents: "Name für Agenten",
  hints: "Hinweise",
  member: "Mitglied",
  policy: "Regel",
  enterOpens: "Eingabe öffnet das Werkzeug.",

  nothingWithheld: "Nichts wird zurückgehalten: Ein Agent erhält jedes Werkzeug dieses Endpunkts.",
  withheldTools: "Zurückgehaltene Werkzeuge",
  toolCount: tools,
  fewer: "Weniger",
  andMore: (count) => `und ${counted(count, { one: "weiteres Werkzeug", other: "weitere Werkzeuge" })}`,

  noMember: "Kein Mitglied bietet hier ein Werkzeug an. Oben einen anderen Endpunkt wählen oder in der Mitgliederliste ein Mitglied starten.",
  menuCostsSame: "Ein Menü kostet immer dasselbe, gleich was die Mitglieder haben; dies sind die Kosten ohne Menü.",
  toolsColumn: "Werkzeuge",
  shareOf: (mode) => `Anteil an ${mode}`,
  showAlone: (member) => `Nur zeigen, was ${member} anbietet`,

  task: "Was zu tun ist, mit den Worten eines Agenten",
  taskSample: "eine Datei in den Notizen umbenennen",
  searchFindsNothing: "Die Suche findet kein Werkzeug für diese Aufgabe. Die Wörter stehen in keinem Namen, keiner Beschreibung und keinem Parameter.",
  found: (count) => `${tools(count)} gefunden`,
  foundBest: (count) => `${tools(count)} gefunden, die besten`,
  bestFirst: "Gefunden, die besten zuerst",
  onlyOrder: "Nur die Reihenfolge hat eine Bedeutung",
};
