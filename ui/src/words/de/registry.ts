import type { RegistryStanding } from "../../bridge/bindings";
import { counted } from "../chosen";
import type { en } from "../en/registry";

const servers = (count: number) => counted(count, { one: "Server", other: "Server" });

const standings: Record<RegistryStanding, string> = { active: "aktiv", deprecated: "veraltet", deleted: "gelöscht" };

const kinds: Record<string, string> = {
  npm: "npm-Paket",
  pypi: "Python-Paket",
  oci: "Container-Abbild",
  nuget: "NuGet-Paket",
  mcpb: "Bündel",
  remote: "läuft anderswo",
};

export const de: typeof en = {
  theSources: "Quellen",
  whatTheyAre:
    "Ein Register führt MCP-Server im Format des offiziellen Registers auf: unter einer Adresse oder in einer Datei. Noch ist keines angegeben. Von einer Adresse wird nichts geholt, bevor sie angegeben ist, und nichts Aufgeführtes läuft, bevor es geprüft ist.",
  sources: "Quellen",
  source: "Quelle",
  fileAbsent: "Die Datei ist nicht vorhanden.",
  notRead: "Noch nicht gelesen.",
  fileChanged: (ago) => `geändert ${ago}`,
  fileChangedWith: (count, ago) => `${servers(count)}, geändert ${ago}`,
  read: (ago) => `gelesen ${ago}`,
  readWith: (count, ago) => `${servers(count)}, gelesen ${ago}`,
  beingRead: "Eine Quelle wird gerade gelesen",
  reading: (source) => `${source} wird gelesen …`,
  readIt: "Lesen",
  readChanges: "Änderungen lesen",
  readAll: "Alles neu lesen",
  cancel: "Abbrechen",
  addSource: "Quelle hinzufügen …",
  remove: "Entfernen …",
  removeSource: "Quelle entfernen",
  forgetQuestion: (source) => `${source} und alles daraus Gelesene vergessen? Daraus installierte Mitglieder bleiben.`,
  removeIt: "Entfernen",
  keepIt: "Behalten",
  beingDone: "Ist in Arbeit",
  isNoSource: (source) => `${source} ist keine Quelle mehr.`,
  isSource: (source) => `${source} ist jetzt eine Quelle.`,
  addForm: "Quelle hinzufügen",
  addressOrFile: "Adresse oder vollständiger Pfad einer Datei",
  addressSample: "https://…",
  nameFirst: "Zuerst eine Quelle angeben",
  add: "Hinzufügen",
  chooseFile: "Datei auswählen …",
  readNow: "Eine Adresse wird jetzt gelesen und danach nur noch auf Wunsch. Sie beginnt mit {scheme}.",

  listedServers: "Aufgeführte Server",
  search: "Nach Name, Titel oder Beschreibung suchen",
  searchSample: "Name, Titel oder Beschreibung …",
  noneFits: "Keiner enthält diese Wörter.",
  servers,
  listed: "Aufgeführte Server",
  readFirst: "Über diese Quelle ist noch nichts bekannt; sie ist zuerst zu lesen.",
  rowNotRead: "Noch nicht gelesen",
  leftOut: (count) => `${counted(count, { one: "Eintrag", other: "Einträge" })} ausgelassen`,
  entry: (at) => `Eintrag ${at}`,
  andMore: (count) => `und ${counted(count, { one: "weiterer Eintrag", other: "weitere Einträge" })}`,
  newerListed: "eine neuere Version ist aufgeführt",
  installedAs: (members) => `installiert als ${members}`,

  standings,
  server: "Server",
  chooseServer: "Die Auswahl eines Servers zeigt, was ausgeführt würde.",
  closeServer: "Server schließen",
  version: "Version",
  versionOf: (version) => `Version ${version}`,
  published: (at) => `veröffentlicht ${at}`,
  takenOut: "Aus dem Register genommen.",
  advisedAgainst: "Die herausgebende Stelle rät davon ab.",
  website: "Seite",
  repository: "Quelltext",
  installedFromHere: (member, version, newer) =>
    `Das Mitglied ${member} wurde von hier installiert${version === "" ? "" : `, Version ${version}`}${newer ? "; eine neuere ist aufgeführt" : ""}.`,
  openMember: (member) => `${member} öffnen`,

  kinds,
  noWay: "Es ist kein Weg aufgeführt, diesen Server auszuführen.",
  ways: "Wege zur Ausführung",
  notInstallable: "nicht installierbar",
  writesManifestOnly:
    "Die Installation schreibt das Manifest. Das Mitglied startet, sobald auf der folgenden Seite angenommen ist, was es ausführt.",
};
