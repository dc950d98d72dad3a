import type { Draft } from "../../form/model/draft";
import type { TypeName } from "../../form/model/flatten";
import { number, plural } from "../chosen";
import type { Counted, en, NumberBound } from "../en/schema";

const numberBounds: Record<NumberBound, (value: number) => string> = {
  minimum: (value) => `mindestens ${value}`,
  exclusiveMinimum: (value) => `mehr als ${value}`,
  maximum: (value) => `höchstens ${value}`,
  exclusiveMaximum: (value) => `weniger als ${value}`,
  multipleOf: (value) => `ein Vielfaches von ${value}`,
};

const units: Record<Counted, (count: number) => string> = {
  characters: () => "Zeichen",
  items: (count) => plural(count, { one: "Eintrag", other: "Einträge" }),
  keys: () => "Schlüssel",
};

const types: Record<TypeName, string> = {
  string: "Text",
  number: "Zahl",
  integer: "ganze Zahl",
  boolean: "ja oder nein",
  object: "Objekt",
  array: "Liste",
  null: "null",
};

const shownAsJson = (what: string) => `Als JSON gezeigt: Hier steht ${what}; das Feld kann das nicht zeigen.`;
const heldElse: Record<Draft["kind"], string> = {
  absent: shownAsJson("nichts"),
  null: shownAsJson("null"),
  boolean: shownAsJson("ein Ja-Nein-Wert"),
  number: shownAsJson("eine Zahl"),
  string: shownAsJson("ein Text"),
  array: shownAsJson("eine Liste"),
  object: shownAsJson("ein Objekt"),
  raw: shownAsJson("unfertiges JSON"),
};

export const de: typeof en = {
  theArguments: "Argumente",
  numberBounds,
  exactly: (count, of) => `${count} ${units[of](count)}`,
  between: (low, high, of) => `${low} bis ${high} ${units[of](high)}`,
  atLeast: (count, of) => `mindestens ${count} ${units[of](count)}`,
  atMost: (count, of) => `höchstens ${count} ${units[of](count)}`,
  noItemTwice: "kein Eintrag doppelt",
  matches: (pattern) => `entspricht ${pattern}`,
  containsItem: "muss einen bestimmten Eintrag enthalten",
  hasException: "hat eine Ausnahme (siehe Schema)",
  exactlyOneOf: (keys) => `genau eines von: ${keys}`,
  oneOf: (keys) => `eines von: ${keys}`,

  types,
  anyJson: "beliebiges JSON",
  nothing: "nichts",
  withKeys: (keys) => `mit ${keys}`,
  someTypes: (names) => names.join(" oder "),
  emptyText: "„“ (leer)",
  emptyName: "„“",
  variant: (at) => `Variante ${at}`,
  json: "JSON",

  notSchema: "Dieser Teil des Schemas ist kein Schema; jeder Wert wird angenommen.",
  tooEntangled: "Dieser Teil des Schemas ist zu verwickelt; jeder Wert wird angenommen.",
  leadsBack: "Dieser Verweis führt zu sich selbst zurück; jeder Wert wird angenommen.",
  unreadable: "Dieser Teil des Schemas ist nicht lesbar; jeder Wert wird angenommen.",
  leadsOutside: (reference) => `Der Verweis ${reference} führt aus diesem Schema hinaus und wird nicht verfolgt.`,
  leadsNowhere: (reference) => `Der Verweis ${reference} führt ins Leere.`,
  notObject: (key) => `„${key}“ ist kein Objekt und wird ausgelassen.`,
  enumEmpty: "„enum“ führt nichts auf und wird ausgelassen.",
  requiredNoList: "„required“ ist keine Liste und wird ausgelassen.",
  typeUnknown: (name) => `Den Typ ${name} gibt es nicht.`,
  nestedTooDeep: "Varianten sind hier zu tief verschachtelt; solche Werte als JSON schreiben.",
  moreVariants: (count) =>
    `${number(count)} ${plural(count, { one: "weitere Variante wird", other: "weitere Varianten werden" })} nicht gezeigt; solche Werte als JSON schreiben.`,
  noValueAllowed: "Das Schema erlaubt hier keinen Wert.",
  noItemAllowed: "Das Schema erlaubt hier keinen Eintrag.",
  keyUndeclared: "Das Schema kennt diesen Schlüssel nicht.",

  lineEnds: "Als JSON gezeigt: Ein Textfeld würde die Zeilenenden verändern.",
  heldElse,
};
