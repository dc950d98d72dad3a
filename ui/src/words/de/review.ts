import type { BreakageKind, LaunchTrust, SchemaEffect, ToolDifference } from "../../bridge/bindings";
import { counted, number, plural } from "../chosen";
import type { en } from "../en/review";

const tools = (count: number) => counted(count, { one: "Werkzeug", other: "Werkzeuge" });
const moreTools = (count: number) => counted(count, { one: "weiteres Werkzeug", other: "weitere Werkzeuge" });

const trust: Record<LaunchTrust, string> = {
  own: "eigenes Mitglied: Das Manifest wurde im Ordner der Mitglieder geschrieben",
  accepted: "angenommen",
  unreviewed: "nicht angenommen: Es wird nie gestartet",
  changed: "seit der Annahme geändert: Es wird nicht gestartet",
};

const differences: Record<ToolDifference, string> = { same: "unverändert", new: "neu", changed: "geändert", gone: "entfallen" };

const effects: Record<SchemaEffect, string> = { breaking: "nicht verträglich", widened: "erweitert", words: "nur Text" };

const breaks: Record<BreakageKind, string> = {
  "saved-call": "gespeicherter Aufruf {name}: {what}",
  policy: "Regel {name}: {what}",
  profile: "Profil {name}: {what}",
};

export const de: typeof en = {
  accepted: "Angenommener Stand",
  trust,
  acceptedWhen: "angenommen {when}",
  on: (date) => `am ${date}`,
  from: (origin) => `Herkunft: ${origin}`,
  broughtIn: { pasted: "eingefügter Text", file: "Datei", commandLine: "Kommandozeile" },

  whatRuns: "Was ausgeführt wird",
  runsInFull: "Was ausgeführt wird, vollständig",
  runsBeside: "Was ausgeführt wird, neben dem angenommenen Stand",
  unreadable: "Das Manifest ist nicht lesbar; es wird nichts davon ausgeführt.",
  acceptedOn: (date) => `angenommen am ${date}`,
  now: "jetzt",
  none: "nicht vorhanden",
  acceptAndStart: "Annehmen und starten",
  beingAccepted: "Wird gerade angenommen",
  runsNothingBefore: "Vorher wird nichts davon ausgeführt. Nach einer Änderung folgt wieder eine Prüfung.",
  memberAccepted: (member) => `${member} ist angenommen und startet.`,

  tools: "Werkzeuge",
  toolsToLookAt: "Werkzeuge zur Prüfung",
  hold: "Neue und geänderte Werkzeuge vor Agenten zurückhalten, bis sie angenommen sind",
  formsCallThem: "Die eigenen Formulare rufen sie trotzdem auf und weisen darauf hin.",
  countAsAccepted: (count) =>
    `Beim Einschalten ${plural(count, { one: "gilt", other: "gelten" })} ${plural(count, { one: "das eine jetzige Werkzeug", other: `die jetzigen ${tools(count)}` })} als angenommen.`,
  held: (member) => `Änderungen an den Werkzeugen von ${member} werden zurückgehalten.`,
  released: (member) => `Änderungen an den Werkzeugen von ${member} erreichen Agenten.`,
  allAsAccepted: (count) => plural(count, { one: "Das eine Werkzeug entspricht dem angenommenen Stand.", other: `Alle ${tools(count)} entsprechen dem angenommenen Stand.` }),
  allAsAcceptedOn: (count, date) =>
    plural(count, {
      one: `Das eine Werkzeug entspricht dem am ${date} angenommenen Stand.`,
      other: `Alle ${tools(count)} entsprechen dem am ${date} angenommenen Stand.`,
    }),
  notAsAccepted: (count, withheld) =>
    `${tools(count)} ${plural(count, { one: "weicht", other: "weichen" })} vom angenommenen Stand ab; Agenten erhalten ${withheld === 0 ? "alles, was da ist" : `${tools(withheld)} weniger`}.`,
  accept: "Annehmen",
  acceptOne: (tool) => `${tool} annehmen`,
  acceptAll: (count) => `Alle ${number(count)} annehmen`,
  somethingBeingAccepted: "Es wird gerade etwas angenommen",
  toolAccepted: (tool) => `${tool} ist angenommen.`,
  allAccepted: (member) => `Alle Werkzeuge von ${member} sind angenommen.`,
  showMore: (count) => `${moreTools(count)} anzeigen`,
  notShown: (count) =>
    `${moreTools(count)} ${plural(count, {
      one: "wird nicht angezeigt; mit allen wird auch dieses angenommen.",
      other: "werden nicht angezeigt; mit allen werden auch diese angenommen.",
    })}`,
  nothingSuspicious: "An den Werkzeugen ist nichts verdächtig.",

  differences,
  effects,
  breaks,
  suspicious: "verdächtig",
  breaksCount: (count) => `betrifft ${number(count)}`,
  suspiciousAbout: (tool) => `Was an ${tool} verdächtig ist`,
  whatBreaks: (tool) => `Was wegen ${tool} nicht mehr funktioniert`,
  changeMeans: "Was die Änderung bedeutet",
  goneFromServer: "Der Server bietet es nicht mehr an.",
  nothingMore: "Mehr gibt es nicht zu zeigen.",
  showAll: "Alles anzeigen",

  changes: "Änderungen der Werkzeuge",
  howToolsChanged: "Änderungen der Werkzeuge",
  noChanges: "Noch keine. Jede Änderung der Werkzeugliste wird hier mit den Unterschieden festgehalten.",
  earlier: "Frühere Änderungen",
  beingRead: "Wird gerade gelesen",
  thisChange: "Einzelheiten der Änderung",
  changed: ({ added, changed, removed, more }) => {
    const parts = [
      ...(added > 0 ? [`+ ${counted(added, { one: "neues Werkzeug", other: "neue Werkzeuge" })}`] : []),
      ...(changed > 0 ? [`Δ ${number(changed)} geändert`] : []),
      ...(removed > 0 ? [`− ${number(removed)} entfallen`] : []),
      ...(more > 0 ? [`und ${moreTools(more)}`] : []),
    ];
    return parts.length === 0 ? "andere Reihenfolge" : parts.join(", ");
  },
  toolsThen: (count) => `damals ${tools(count)}`,
  namesOnly: "Die Angaben der Werkzeuge waren zum Aufbewahren zu groß; nur ihre Namen sind da.",
  toolsOfChange: (moment) => `Werkzeuge der Änderung vom ${moment}`,
};
