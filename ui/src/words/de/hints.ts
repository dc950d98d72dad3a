import type { en } from "../en/hints";

export const de: typeof en = {
  marks: {
    readOnly: "Nur lesend: laut Server ändert es nichts",
    destructive: "Zerstörend: laut Server kann es etwas zerstören",
    idempotent: "Wiederholbar: laut Server ändert ein zweiter gleicher Aufruf nichts mehr",
    openWorld: "Nach außen offen: laut Server erreicht es Dinge außerhalb seiner selbst",
  },
  readOnly: { word: "nur lesend", says: "Es ändert nichts." },
  notReadOnly: { word: "ändernd", says: "Es liest nicht nur." },
  destructive: { word: "zerstörend", says: "Es kann etwas zerstören. Vor der Ausführung wird noch einmal gefragt." },
  notDestructive: { word: "nicht zerstörend", says: "Es fügt nur hinzu." },
  idempotent: { word: "wiederholbar", says: "Ein zweiter gleicher Aufruf ändert nichts mehr." },
  notIdempotent: { word: "jeder Aufruf zählt", says: "Ein zweiter gleicher Aufruf hat seine eigene Wirkung." },
  openWorld: { word: "nach außen offen", says: "Es erreicht Dinge außerhalb seines Servers." },
  notOpenWorld: { word: "nicht nach außen offen", says: "Es erreicht nichts außerhalb seines Servers." },
};
