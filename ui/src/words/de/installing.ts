import { number, plural } from "../chosen";
import type { en } from "../en/installing";

export const de: typeof en = {
  memberName: "Name des Mitglieds",
  answersAsJson: "Antworten als JSON",
  answersWrong: (count) => plural(count, { one: "Eine Antwort passt nicht", other: `${number(count)} Antworten passen nicht` }),
  beingChecked: "Die Antworten werden gerade geprüft",
  install: "Installieren",
  beingInstalled: "Die Installation läuft",
  isMemberNow: (member) => `${member} ist jetzt ein Mitglied. Es läuft, sobald angenommen ist, was es ausführt.`,
  isInstalled: (member) => `${member} ist installiert: prüfen`,
  whatWouldRun: "Was ausgeführt würde",
  address: "Adresse",
};
