import type { en } from "../en/views";

export const de: typeof en = {
  Text: "Text",
  Markdown: "Markdown",
  "Spread out": "Eingerückt",
  Tree: "Baum",
  Table: "Tabelle",
  Raw: "Roh",
  "As sent": "Wie gesendet",
  "By path": "Nach Pfad",
  "By line": "Nach Zeile",
  Response: "Antwort",
  Request: "Anfrage",
};
