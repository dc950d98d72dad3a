import type { DiscoveryStatus } from "../../bridge/bindings";
import type { Order } from "../../agents/policies/catalogRows";
import type { ReasonKind } from "../../agents/policies/policyWords";
import { counted, listed, number, plural } from "../chosen";
import type { en } from "../en/policies";

const tools = (count: number) => counted(count, { one: "Werkzeug", other: "Werkzeuge" });

const classes: (typeof en)["classes"] = {
  "read-only": { word: "nur lesend", tools: "nur lesende Werkzeuge", says: "Nach Angabe ihrer Server ändern sie nichts." },
  changing: { word: "ändernd", tools: "ändernde Werkzeuge", says: "Sie ändern etwas und zerstören nichts." },
  destructive: {
    word: "zerstörend",
    tools: "zerstörende Werkzeuge",
    says: "Sie können etwas zerstören. Dazu gehören auch solche, die eine Änderung angeben, aber nicht welche, oder die sich widersprechen.",
  },
  unsaid: { word: "ohne Angabe", tools: "Werkzeuge ohne Angabe", says: "Die Server sagen nichts davon." },
  "open-world": {
    word: "nach außen offen",
    tools: "nach außen offene Werkzeuge",
    says: "Nach eigener Angabe greifen sie auf Dinge außerhalb ihres Servers zu. Neben der Regel für ihre Art gilt die strengere.",
  },
};

const reasonKinds: Record<ReasonKind, string> = {
  hand: "von Hand gesetzt",
  rule: "durch eine Regel",
  manifest: "durch das Manifest",
  default: "durch die Vorgabe",
};

const discovery: Record<DiscoveryStatus, string> = {
  never: "nie gelesen",
  discovering: "wird gelesen",
  success: "gelesen",
  failed: "nicht lesbar",
};

const toolsAre: Record<DiscoveryStatus, string> = {
  never: "Werkzeuge nie gelesen",
  discovering: "Werkzeuge werden gelesen",
  success: "Werkzeuge gelesen",
  failed: "Werkzeuge nicht lesbar",
};

const orders: Record<Order, string> = {
  name: "nach Mitglied und Werkzeug",
  policy: "die strengsten zuerst",
  kind: "die riskanteste Art zuerst",
  newest: "die zuletzt gelesenen zuerst",
};

const inProfile = (profile: string | null) => (profile === null ? "im Profil" : `im Profil ${profile}`);
const keys =
  "In einer Zeile erlaubt A, fragt S zuerst eine Person, verbietet D, und M richtet sich nach den allgemeinen Regeln und dem Manifest.";

export const de: typeof en = {
  classes,
  reasonKinds,
  discovery,
  reasons: {
    default: "Vorgabe",
    manifest: "Manifest",
    hand: "von Hand gesetzt",
    handIn: (profile) => `${inProfile(profile)} von Hand gesetzt`,
    rule: (kind) => `Regel für ${classes[kind].tools}`,
    ruleOf: (kind, profile) => `Regel für ${classes[kind].tools} ${inProfile(profile)}`,
  },
  newUnaccepted: "Es ist neu und noch nicht angenommen.",
  notAsAccepted: "Es entspricht nicht dem angenommenen Stand.",

  policies: "Regeln,",
  everywhere: "die überall gelten",
  ofProfile: (profile) => `die im Profil ${profile} gelten`,
  orderEverywhere:
    "Von Hand Gesetztes geht den allgemeinen Regeln vor, diese gehen den Manifesten vor; eine allgemeine Regel lockert nie ein Verbot im Manifest.",
  orderInProfile: "Was das Profil von einem Werkzeug sagt, geht seinen allgemeinen Regeln vor. Es kann nur strenger sein als das, was überall gilt.",
  theTools: "Werkzeuge",
  noMemberHasTools: "Kein Mitglied hat Werkzeuge. Oben in der Mitgliederliste holt „Neu …“ Mitglieder herein, „Neu lesen“ daneben liest ihre Werkzeuge.",
  profileChoosesNone: "Das Profil wählt kein Werkzeug aus. Im Reiter Profile steht, welche Mitglieder und Werkzeuge es hat.",
  noneFits: "Kein Werkzeug passt.",
  clearFilters: "Filter zurücksetzen",
  takenBack: "Die letzte Änderung ist zurückgenommen.",
  shown: (shown, all, isAll, unread) =>
    `${isAll ? tools(all) : `${number(shown)} von ${counted(all, { one: "Werkzeug", other: "Werkzeugen" })}`}${unread === 0 ? "" : ` und ${counted(unread, { one: "ungelesenes Mitglied", other: "ungelesene Mitglieder" })}`}`,

  rules: "Allgemeine Regeln",
  forKinds: "für Arten von Werkzeugen",
  noRule: "keine Regel",
  usual: "Lesendes erlauben, bei Zerstörendem fragen …",
  savedOnRequest: "Gespeichert wird erst auf Wunsch",
  discard: "Verwerfen",
  saveRules: "Regeln speichern",
  beingSaved: "Wird gerade gespeichert",
  theRules: "allgemeine Regeln",
  rulesOf: (profile) => `allgemeine Regeln des Profils ${profile}`,
  rulesSaved: "Die Regeln sind gespeichert.",
  nothingWouldChange: "Für kein Werkzeug würde sich die Regel ändern.",
  wouldChange: (count, looser) =>
    `Für ${tools(count)} würde sich die Regel ändern.${looser === 0 ? "" : ` Bei ${looser === 1 ? "einem" : number(looser)} davon dürften Agenten mehr als jetzt.`}`,
  whatWouldChange: "Was sich ändern würde",
  becomes: "wird zu",
  andMore: (count) => `und ${counted(count, { one: "weiteres Werkzeug", other: "weitere Werkzeuge" })}`,
  noProof: (members, more) =>
    `Regeln richten sich nach den Angaben der Server, und die sind kein Beweis. ${more > 0 ? `${members.join(", ")} und ${counted(more, { one: "weiteres Mitglied", other: "weitere Mitglieder" })}` : listed(members)} ${plural(members.length + more, { one: "kann", other: "können" })} morgen etwas anderes angeben, und Agenten erhielten es sofort.`,
  holdBack: "Änderungen dieser Mitglieder zurückhalten",

  tools: "Werkzeuge",
  searchWords: "Wörter aus Name und Beschreibung",
  searchSample: "Wörter aus Name und Beschreibung …",
  member: "Mitglied",
  anyMember: "jedes Mitglied",
  policy: "Regel",
  anyPolicy: "jede Regel",
  decidedBy: "Entschieden durch",
  byAnything: "gleich wodurch entschieden",
  serverSays: "Angabe des Servers",
  anyKind: "jede Art",
  state: "Zustand",
  anyState: "jeder Zustand",
  withheld: "zurückgehalten",
  order: "Reihenfolge",
  orders,

  chosenTools: "Die gewählten Werkzeuge",
  chosen: (count) => `${tools(count)} gewählt`,
  asRulesSay: "wie allgemein geregelt",
  chooseNone: "Auswahl aufheben",
  undo: (what) => `Rückgängig: ${what}`,
  undoKey: (key) => `${key} in der Tabelle`,

  policyOf: (tool) => `Regel für ${tool}`,
  asRulesAndManifest: "nach allgemeinen Regeln und Manifest",
  keys,
  tableKeys: (all, undo) => `Eingabe öffnet das Werkzeug. Die Leertaste wählt eine Zeile, Umschalt mit den Pfeilen mehrere, ${all} alle, Esc keine. ${keys} Sind Zeilen gewählt, gilt das für alle gewählten. ${undo} nimmt die letzte Änderung zurück. R liest die Werkzeuge eines Mitglieds neu, und wo das misslang, sagt E, was der Fehler heißt. C bestätigt, dass ein Werkzeug nur liest.`,
  toolOf: (tool, member) => `${tool} von ${member}`,
  toolCount: tools,
  isNow: (which, profile, policy) => `${which}${profile === null ? "" : ` im Profil ${profile}`}: ${policy}`,

  table: "Alle Werkzeuge und ihre Regeln",
  tool: "Werkzeug",
  kind: "Art",
  kinds: { native: "eigen", mcp: "mcp", prompt: "Prompt", resource: "Ressource", template: "Vorlage" },
  hints: "Hinweise",
  guildHall: "Guild Hall",
  ownTools: "Eigene von Guild Hall",
  toolsAre,
  memberGone: "Dieses Mitglied gibt es nicht mehr",
  readAgain: (key) => `Neu lesen (${key})`,
  read: "Lesen",
  tryAgain: "Erneut versuchen",
  readAgo: (ago) => `gelesen ${ago}`,
  stateAt: (state, moment) => `${state} ${moment}`,
  confirmReadOnly: "Als nur lesend bestätigen (C)",
  readOnlyConfirmed: "Als nur lesend bestätigt",
  claimWhy: {
    doubted: "Laut seinem Server liest es nur, aber sein Name oder seine Beschreibung sagt, dass es etwas ändert. Es gilt als Werkzeug, das etwas ändert, bis bestätigt ist, dass es nur liest.",
    confirmed: "Bestätigt ist, dass es nur liest, wie sein Server sagt. Ein Klick nimmt das zurück.",
  },
  claimIs: (tool, confirmed) => (confirmed ? `${tool} gilt als nur lesend.` : `${tool} gilt nicht mehr als nur lesend.`),
};
