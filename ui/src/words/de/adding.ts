import type { en } from "../en/adding";

export const de: typeof en = {
  addMembers: "Mitglieder hinzufügen",
  lead: "Mitglieder hinzufügen …",
  fromOtherPrograms: "Aus anderen Programmen:",
  whereFrom: "Woher die Mitglieder kommen",
  ways: { paste: "Text oder Datei", bundle: "Bündel", registry: "Register", write: "Selbst schreiben" },
  dropHere: "Hier eine Konfiguration oder ein Bündel ablegen, um zu sehen, was ausgeführt würde. Gestartet wird dadurch nichts.",
  severalDropped: { message: "Es wurden mehrere Dateien auf einmal abgelegt.", hint: "Die Dateien einzeln ablegen: Jede zeigt, was sie ausführen würde." },
  noFileDropped: { message: "Was abgelegt wurde, ist keine Datei.", hint: "Eine Datei ablegen oder den Text einfügen." },
};
