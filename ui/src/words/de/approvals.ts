import { counted, keyed } from "../chosen";
import type { en } from "../en/approvals";

const wait = { one: "Aufruf wartet", other: "Aufrufe warten" };

export const de: typeof en = {
  wantsToCall: (client, member, tool) => `${client} möchte ${tool} von ${member} aufrufen`,
  asks: "{client} möchte {tool} von {member} aufrufen",
  anAgentAsks: "Anfrage eines Agenten",
  andMore: (count) => `und ${counted(count, { one: "weiterer Aufruf", other: "weitere Aufrufe" })}`,
  decide: "Entscheiden",
  later: "Später",
  putAway: "Diesen Hinweis schließen; der Aufruf bleibt in der Statusleiste",
  decideOldest: (keys) => keyed("Über den ältesten entscheiden", keys),
  wait: (count) => counted(count, wait),
  waitOldestFirst: (count) => `${counted(count, wait)}, die ältesten zuerst`,
  waiting: "Wartende Aufrufe",
  noneWaits: "Kein Aufruf eines Agenten wartet. Aufrufe eines Werkzeugs mit der Regel {ask} warten hier, bis sie erlaubt oder verboten werden.",
  ended: "Entschieden oder beendet",
  endings: {
    once: "einmal erlaubt",
    always: "jetzt und künftig erlaubt",
    deny: "verboten",
    overdue: "nicht rechtzeitig entschieden",
    gone: "wartet auf keine Entscheidung mehr",
  },

  tool: "Werkzeug",
  saysNothing: "Der Server sagt nicht, ob das Werkzeug etwas ändert oder zerstört.",
  serverSays: "Der Server sagt:",
  arguments: "Argumente",
  asJson: "Argumente als JSON",
  backToFields: "Zurück zu den Feldern",
  editAsJson: "Als JSON bearbeiten",
  changedByYou: "hier geändert",
  asAgentWrote: "Wie vom Agenten geschrieben",
  allowOnce: "Einmal erlauben",
  alwaysAllow: "Immer erlauben",
  deny: "Verbieten",
  allowAnyway: "Trotzdem erlauben",
  allowUnchecked: (keys) => keyed("Diesen Aufruf einmal ohne Prüfung erlauben", keys),
  keyAllows: "{key} erlaubt einmal",
  always: "Immer erlauben",
  whatAlwaysMeans:
    "{always} lässt ab jetzt jeden Client {tool} von {member} mit beliebigen Argumenten ohne Rückfrage aufrufen. Unter „Werkzeuge und Regeln“ ist das rückgängig zu machen.",
  onItsWay: "Die Entscheidung ist unterwegs",
  justCame: "Gerade erst erschienen",
  beingChecked: "Die Argumente werden gerade geprüft",
};
