import type { Check, Verdict } from "../../bridge/bindings";
import { counted, number } from "../chosen";
import type { en } from "../en/doctor";

const checks: Record<Check, string> = {
  "login-shell": "Login-Shell",
  program: "Programme",
  member: "Befehle der Mitglieder",
  keychain: "Geheimnisse",
  ports: "Ports",
  folders: "Ordner",
  disk: "Speicherplatz",
  processes: "Prozesse",
};

const verdicts: Record<Verdict, string> = { fine: "In Ordnung", note: "Hinweis", warning: "Warnung", problem: "Problem" };

export const de: typeof en = {
  machine: "Dieser Rechner",
  checks,
  verdicts,
  whatItDoes:
    "Die Prüfung sieht sich an, was die Login-Shell geantwortet hat, und fragt sie, wo das nicht geschehen ist; sie fragt Node, Python, Docker und Ähnliche nach ihrer Version und sieht sich Befehle der Mitglieder, Geheimnisse, Ports, Ordner, Speicherplatz und Prozesse an. Sie hinterlässt nichts.",
  lookingBegins: "Der Rechner wird geprüft …",
  looking: "Prüfung läuft …",
  lookingAt: (done, of) => `Prüfung läuft … ${number(done)} von ${number(of)}`,
  looked: (ago) => `Geprüft ${ago}.`,
  checkAgain: "Erneut prüfen",
  cancel: "Abbrechen",
  report: "Bericht",

  fine: "Nichts hindert Mitglieder an der Arbeit.",
  fineTillThen: "Bis dahin wurde kein Problem gefunden.",
  cancelled: "Vor dem Ende der Prüfung abgebrochen.",
  found: (problems, warnings) => {
    const parts = [
      ...(problems > 0 ? [counted(problems, { one: "Problem", other: "Probleme" })] : []),
      ...(warnings > 0 ? [counted(warnings, { one: "Warnung", other: "Warnungen" })] : []),
    ];
    return `${parts.join(", ")}.`;
  },
  toDo: (advice) => `Abhilfe: ${advice}`,
  moreOf: (subject) => `Mehr zu ${subject}`,

  checkMachine: "Diesen Rechner prüfen",
  setSecret: (name) => `${name} setzen …`,
  openSecrets: "Geheimnisse öffnen",
  openMember: (member) => `${member} öffnen`,
};
