import type { AboutWords } from "../en/about";

export const about: AboutWords = {
  title: "Über Guild Hall",
  text: "Ein Ort, um MCP-Server auszuführen, zu sehen, auszuprobieren und anzubieten.",
  version: "Version",
  dataDir: "Datenordner",
  membersDir: "Ordner der Mitglieder",
  logDir: "Log-Dateien",
  licence: "Lizenz",
  licenceText: "MIT oder Apache 2.0, nach Wahl.",
  thirdParty: "Lizenzen fremder Teile",
  thirdPartyMade: "Dieses Programm ist aus den Quellen gebaut: {command} stellt sie zusammen.",
  copy: (what) => `Pfad von „${what}“`,
  reading: "Version wird gelesen …",
  bundle: "Paket für einen Fehlerbericht speichern …",
  guide: "Handbuch",
  close: "Schließen",
};
