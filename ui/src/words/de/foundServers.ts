import type { FoundScope, FoundState } from "../../bridge/bindings";
import { counted, listed, number, plural } from "../chosen";
import type { en } from "../en/foundServers";

const servers = (count: number) => counted(count, { one: "Server", other: "Server" });
const files = (count: number) => counted(count, { one: "Datei", other: "Dateien" });

const states: Record<FoundState["kind"], string> = {
  new: "neu",
  adopted: "ein Mitglied",
  gateway: "Guild Hall selbst",
  unusable: "nicht zu übernehmen",
};

const sections: Record<FoundState["kind"], string> = {
  new: "Neu",
  unusable: "Nicht zu übernehmen",
  adopted: "Schon Mitglieder",
  gateway: "Eigene Einträge von Guild Hall",
};

const scopes: Record<FoundScope, string> = {
  user: "für die angemeldete Person",
  local: "für die angemeldete Person, in einem Projekt",
  project: "für ein Projekt",
  workspace: "für einen Arbeitsbereich",
};

export const de: typeof en = {
  foundServers: "Gefundene Server",
  whatTheyAre:
    "Diese Server stehen in Dateien anderer Programme auf diesem Rechner. Nichts davon wird gestartet, bevor es übernommen ist; dann ist es ein Mitglied wie jedes andere und startet. Die Dateien bleiben, wie sie sind, solange ein Programm nicht auf Guild Hall umgestellt wird.",
  otherFiles: "Dateien anderer Programme",
  nothingFound: "Es wurde kein Server gefunden.",
  found: ({ servers: all, programs: of, fresh, broken }) =>
    `${servers(all)} in ${counted(of, { one: "Programm", other: "Programmen" })}, ${fresh === 0 ? "keiner davon neu" : `${number(fresh)} neu`}${broken > 0 ? `, ${files(broken)} nicht vollständig gelesen` : ""}.`,
  nowhere:
    "Kein Programm hat an den unten genannten Stellen einen Server. Ein Server, der dort hinzukommt, erscheint hier von selbst; unten lässt sich der Ordner eines Projekts nennen.",
  filter: "Nach Name, Befehl, Programm oder Datei filtern",
  filterSample: "Name, Befehl, Programm oder Datei …",
  noneFits: "Keiner enthält diese Wörter.",
  fitting: (shown, all) => `${number(shown)} von ${counted(all, { one: "Server", other: "Servern" })}; Ausgewähltes bleibt stehen.`,
  states,
  sections,
  scopes,
  scopeIn: (scope, folder) => `${scopes[scope]}: ${folder}`,

  adoptOne: (server, of) => `${server} aus ${of} übernehmen`,
  switchedOff: "dort ausgeschaltet",
  inPrograms: (names) => `in ${names}`,
  compareWith: (server, others) => `${server} mit ${plural(others, { one: "einem anderen", other: `${number(others)} anderen` })} dieses Namens vergleichen`,
  differsFrom: (others) => `Weicht von ${plural(others, { one: "einem anderen", other: `${number(others)} anderen` })} ab`,
  whereStands: (server) => `Wo ${server} steht`,
  line: (at) => `Zeile ${number(at)}`,
  calledAs: (name) => `als ${name}`,
  calledUnasked: (tools) => `Dort ohne Rückfrage aufgerufen: ${tools.join(", ")}`,
  openMember: (member) => `${member} öffnen`,

  isAt: "Adresse:",
  wouldRun: "Ausgeführt würde:",
  headers: "Header",
  environment: "Umgebung",
  secret: "geheim",
  inFolder: "im Ordner {folder}",
  asContainer: "Als Mitglied läuft der Server in diesem Container, der am Ende aufgeräumt wird:",
  containerParts: "Der Container",
  containerEnvironment: "Umgebung im Container",
  keptOutside: (names) => `Nicht im Container: ${names.join(", ")}. Der Eintrag setzt das nur für die Engine, die es keinem Container weitergibt.`,
  mayBeContainer: "Je nach den Antworten wird daraus ein Container des Mitglieds oder ein Befehl:",
  whyOpen: "Was die Antworten entscheiden",
  staysCommand: "Es bleibt ein Befehl. Der Container kann das Ende des Befehls überleben:",
  whyCommand: "Warum daraus kein Container des Mitglieds wird",
  commandKept: "Der Befehl bleibt, wie er ist. Der Container kann das Ende des Befehls überleben.",
  keepCommand: "Den Befehl behalten, wie er ist",
  whyContainer:
    "Was eine Engine für einen Befehl ausführt, läuft weiter, wenn der Befehl abgebrochen wird. Der Container des Mitglieds hat einen Namen, mit dem er immer aufgeräumt wird; er hat keine Capabilities und bekommt keine neuen Rechte. Ein Server, der diese braucht, braucht den Befehl.",
  needsValues: (count) => plural(count, { one: "Ein Wert ist noch anzugeben.", other: `${number(count)} Werte sind noch anzugeben.` }),

  aspects: {
    address: "Adresse",
    header: (name) => `Header ${name}`,
    command: "Befehl",
    arguments: "Argumente",
    folder: "Ordner",
    variable: (name) => `Variable ${name}`,
  },
  nothingDiffers: "Was sich hier zeigen lässt, ist gleich; ein Geheimnis weicht ab oder etwas, das nicht lesbar ist.",
  differencesOf: (server) => `Unterschiede zwischen den Servern namens ${server}`,
  onlyDifferences: "Nur Unterschiede werden gezeigt.",
  othersLeftOut: (count) => `${counted(count, { one: "weiterer", other: "weitere" })} dieses Namens ${plural(count, { one: "ist", other: "sind" })} ausgelassen.`,
  thisOne: "dieser",
  none: "nicht vorhanden",
  hidden: "verborgen, kann abweichen",

  needsOf: (server) => `Was das Mitglied aus ${server} braucht`,
  memberName: "Name des Mitglieds",
  needed: "erforderlich",
  chooseOne: "auswählen …",
  asFileSays: (value) => `${value} (wie in der Datei)`,
  isNeeded: "Angabe erforderlich.",
  keptAsSecret: "Wird als Geheimnis gespeichert.",
  mayBeEmpty: "Darf leer bleiben.",

  ticking: "Auswahl",
  beingAdopted: "Die Übernahme läuft",
  nothingTicked: "Nichts ausgewählt",
  nothingTickedYet: "Nichts ausgewählt.",
  atMost: (count) => `Höchstens ${servers(count)} auf einmal`,
  toPutRight: (fields) => `Zuerst ${plural(fields, { one: "ist", other: "sind" })} ${counted(fields, { one: "Feld", other: "Felder" })} zu berichtigen.`,
  adopting: (count) => `${servers(count)} ${plural(count, { one: "wird", other: "werden" })} übernommen …`,
  ticked: (count) => `${servers(count)} ausgewählt.`,
  untickAll: "Auswahl aufheben",
  allTicked: "Alle sind ausgewählt",
  tickAll: (count) => `Alle auswählen (${number(count)})`,
  tickShown: (count) => `Alle angezeigten auswählen (${number(count)})`,
  adoptTicked: "Auswahl übernehmen",
  adopt: (count) => `${servers(count)} übernehmen`,

  gone: (names) =>
    `${names.join(", ")}: ${plural(names.length, { one: "Die Datei hat sich geändert; die Auswahl ist deshalb aufgehoben.", other: "Die Dateien haben sich geändert; die Auswahl ist deshalb aufgehoben." })} Zu prüfen ist, was jetzt ausgeführt würde.`,
  cameOfThem: (adopted, refused) =>
    `${[...(adopted > 0 ? [`${servers(adopted)} übernommen`] : []), ...(refused > 0 ? [`${servers(refused)} abgelehnt`] : [])].join(", ")}.`,
  closeOutcome: "Ergebnis der Übernahme schließen",
  refused: "abgelehnt",
  adopted: "übernommen",
  adoptedIn: "{adopted}: {server}, in {folder}",
  secretsKept: (names) => `${plural(names.length, { one: "gespeichertes Geheimnis", other: "gespeicherte Geheimnisse" })}: ${names.join(", ")}`,

  canUseGuildHall: "Programme, die stattdessen Guild Hall verwenden können",
  gatewayClosed: "Das Gateway nimmt gerade keine Verbindungen an: Bis dahin erreicht ein Programm, das Guild Hall verwendet, keinen Server.",
  titleInFolder: (title, folder) => `${title} in ${folder}`,
  usesNow: (program) => `${program} verwendet Guild Hall.`,
  fileAsWas: (program) => `Die Datei von ${program} ist wieder wie vorher.`,
  entriesBack: (program) => `${program} hat seine Einträge wieder. Spätere Änderungen der Datei bleiben erhalten.`,
  uses: "verwendet Guild Hall",
  handedOver: "wurde umgestellt",
  hasMembers: (names) =>
    `hat ${servers(names.length)}, ${plural(names.length, { one: "der Mitglied ist", other: "die Mitglieder sind" })}: ${listed(names)}`,
  giveBack: (program) => `Datei von ${program} wiederherstellen`,
  handOver: (program) => `${program} auf Guild Hall umstellen …`,

  whereLooked: "Wo gesucht wurde",
  filesThere: (all, of, there) =>
    `${files(all)} von ${counted(of, { one: "Programm", other: "Programmen" })}; davon ${there === 0 ? "keine" : number(there)} vorhanden`,
  fileStates: { broken: "nicht vollständig gelesen", read: "gelesen", absent: "nicht vorhanden" },
  hasServers: servers,
  lookElsewhere: "In einem weiteren Ordner suchen",
  projectFolder: "Ordner eines Projekts oder eine {ending}-Datei",
  wholePath: "Vollständiger Pfad",
  beingDone: "Ist in Arbeit",
  nameFolder: "Zuerst einen Ordner angeben",
  lookThere: "Dort suchen",
  chooseFolder: "Ordner auswählen …",
  chooseFile: "Datei auswählen …",
  namedFolders: "Angegebene Ordner",
  lookNoMore: (folder) => `Nicht mehr in ${folder} suchen`,
  lookedIn: (folder) => `Ab jetzt wird auch in ${folder} gesucht.`,
  lookedInNoMore: (folder) => `In ${folder} wird nicht mehr gesucht.`,
  notReadToEnd: "Nicht vollständig gelesen",
};
