import type { TeamTarget } from "../../bridge/bindings";
import type { en } from "../en/team";

const targets: Record<TeamTarget, string> = { compose: "compose-Datei", kubernetes: "Kubernetes-Manifeste" };

export const de: typeof en = {
  forTeam: "Für ein Team …",
  oneForTeam: (profile) => `${profile} für ein Team`,
  title: (profile) => `Das Profil ${profile} für ein Team`,
  about: "Dateien, die seine Mitglieder hinter einem Gateway betreiben, das das Team schon hat, und das Mitglied, das diese App damit verbindet. Kein Geheimnis steht darin.",
  target: "Als",
  targets,
  image: "Abbild mit guildhall",
  imageSays: "Darin sind auch die Programme, mit denen die Mitglieder gestartet werden, etwa npx und uvx.",
  gatewayImage: "Abbild des Gateways des Teams",
  gatewayImageSays: "Es läuft neben Guild Hall und ist das einzige, das andere erreichen, auf Port 8080.",
  url: "Adresse für die App",
  urlSays: "Wo diese App das Profil dort erreicht; leer für diesen Rechner.",
  wantsImages: "Zuerst beide Abbilder nennen",
  busy: "Ist in Arbeit",
  show: "Zeigen",
  close: "Schließen",
  preview: "Was es wäre",
  runs: (members) => `Läuft dort: ${members.join(", ")}.`,
  leftOut: "Mitglieder, die dort nicht laufen",
  doesNotRun: "{member} läuft dort nicht: {why}.",
  toSet: "Dort zu setzen, steht in keiner Datei",
  noDialog: "Hier gibt es keinen Dialog für Ordner; die Dateien stattdessen kopieren",
  write: "In einen Ordner schreiben …",
  written: "Geschriebene Dateien",
  isWritten: (folder) => `In ${folder} geschrieben.`,
};
