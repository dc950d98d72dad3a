import { counted, number } from "../chosen";
import type { en } from "../en/pasting";

const inFile = (path: string | null) => (path === null ? "" : ` in ${path}`);

export const de: typeof en = {
  howItGoes:
    "Hier lässt sich einfügen, was die Seite eines Servers zeigt: JSON, TOML oder YAML für ein beliebiges Programm, ein Befehl oder eine Adresse. Eine Datei damit lässt sich auf dem Fenster ablegen. Nichts davon wird gestartet, bevor zu sehen war, was ausgeführt würde, und es übernommen ist.",
  nothingYet: "Noch nichts eingefügt.",
  brought: "Eingefügtes",
  nothingRead: (path) => (path === null ? "Es war nichts zu lesen." : `In ${path} war nichts zu lesen.`),
  reading: (path) => (path === null ? "Wird gelesen …" : `${path} wird gelesen …`),
  found: (all, fresh, path) =>
    `${counted(all, { one: "Server", other: "Server" })}${inFile(path)}${fresh === all ? "" : fresh === 0 ? ", keiner davon neu" : `, ${number(fresh)} neu`}.`,
  bringIn: "Server einfügen",
  whatPageShows: "Was die Seite des Servers zeigt",
  showWhatRuns: "Zeigen, was ausgeführt würde",
  chooseFile: "Datei auswählen …",
  clear: "Leeren",
  serversBrought: "Eingefügte Server",
};
