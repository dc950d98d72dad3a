import type { Confidence, Rung } from "../../bridge/bindings";
import type { en } from "../en/found";

const rungs: Record<Rung, string> = {
  initialize: "Antwort des Servers",
  "no-handshake": "Antwort des Servers ohne Handshake",
  "openai-functions": "Liste von OpenAI-Funktionen",
  "tools-array": "Liste von Werkzeugen, die keine Antwort ist",
  "json-lines": "JSON-Objekte, eines je Zeile",
  declarations: "Deklarationen von Funktionen",
  identifiers: "Wörter, die wie Namen von Werkzeugen aussehen",
  "auto-approve": "Namen, die das Manifest erlaubt",
  prediction: "was ein Modell für die Werkzeuge hält",
};

const confidence: Record<Confidence, string> = {
  certain: "sicher",
  high: "sehr wahrscheinlich die Werkzeuge",
  fair: "wahrscheinlich die Werkzeuge",
  low: "vielleicht die Werkzeuge",
  guess: "geraten",
};

export const de: typeof en = {
  rungs,
  found: (rung, stream, sure) => `Quelle: ${rungs[rung]}${stream === null ? "" : `, auf ${stream}`}; ${confidence[sure]}`,
};
