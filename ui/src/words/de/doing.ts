import type { en } from "../en/doing";

const times = (attempt: number) => (attempt <= 1 ? "einmal" : `${attempt}-mal hintereinander`);

export const de: typeof en = {
  for: (since) => `seit ${since}`,
  since: (since) => `seit ${since}`,
  ago: (since) => `vor ${since}`,
  queued: "wartet, bis andere gestartet sind; ein Aufruf geht vor",
  pulling: (since) => `seit ${since}; das Abbild seines Containers wird geholt`,
  installing: (since) => `seit ${since}; der Server wird gerade installiert`,
  overtime: (since) => `seit ${since}, länger als erlaubt; die Installation läuft noch, höchstens zehn Minuten lang`,
  late: (since) => `seit ${since}, länger als erlaubt; es arbeitet noch und hat bis zum Vierfachen seiner Frist`,
  onDemand: "ein Aufruf startet es",
  disabled: "so steht es im Manifest",
  otherLaunch: "es führt etwas anderes aus, als angenommen wurde",
  notAccepted: "startet erst, wenn es angenommen ist",
  crashLoop: (attempt) => `endete ${times(attempt)}; kein neuer Versuch, bis jemand es startet`,
  backoff: (attempt, seconds, most) =>
    `${times(attempt)} fehlgeschlagen; nächster Versuch ${seconds > 0 ? `in ${seconds} s` : "jetzt"} (Versuch ${attempt} von ${most})`,
  stop: "Anhalten",
  giveUp: "Aufgeben",
};
