import type { TourWords } from "../en/tour";

export const tour: TourWords = {
  stops: {
    roster: { title: "Die Mitgliederliste", text: "Alle Mitglieder und wie es um sie steht. Ein geöffnetes Mitglied zeigt seine Werkzeuge, auch bevor es läuft: Sie sind vom letzten Mal bekannt." },
    form: { title: "Das Formular eines Werkzeugs", text: "Entsteht aus dem, was der Server über seine Argumente sagt. Was nicht stimmt, steht am Feld, bevor etwas gesendet wird." },
    result: { title: "Das Ergebnis", text: "Es erscheint neben dem Formular, wie der Aufruf auch endet. Frühere Aufrufe bleiben und lassen sich vergleichen." },
    history: { title: "Der Verlauf", text: "Jeder Aufruf, ob selbst ausgeführt oder von einem Agenten. Er lässt sich ins Formular zurückholen, unter einem Namen speichern oder mit einem anderen vergleichen." },
    agents: { title: "Das Gateway für Agenten", text: "Eine Adresse für alle Agenten. Auf der Seite steht, was sie sehen, was das in Token kostet und welche Aufrufe vorher fragen müssen." },
    palette: { title: "Alles finden", text: "Werkzeuge, Mitglieder, Aktionen, frühere Aufrufe und mit ? die Hilfe." },
  },
  label: (number, count) => `Rundgang, ${number} von ${count}`,
  next: "Weiter",
  back: "Zurück",
  done: "Fertig",
  leave: "Rundgang beenden",
  guide: (keys) => `${keys ?? "Das ? oben"} öffnet das Handbuch bei dem, was gerade zu sehen ist.`,
  keys: (enter, onwards, back, leave) => `${enter} oder ${onwards} weiter, ${back} zurück, ${leave} beendet`,
};
