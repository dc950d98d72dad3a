/**
 * The language of this window. It is decided before the page's first script (public/theme.js puts it
 * on the page) and holds as long as the page: a new choice loads the page anew, so that words may be
 * taken wherever they are needed, in a table as well as in a component.
 *
 * What a person reads stands in `en/` and, with the same names and parameters, in `de/`; an area's
 * file beside this one brings the two together, and is loaded with the pages that need it.
 */
export type Language = "en" | "de";

/** Every language that a person can choose, called as its speakers call it. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

/** For trying the layout: English made longer, and English from right to left. */
const PSEUDO = { long: "en-XA", mirrored: "ar-XB" };

const tag = document.documentElement.lang;
const isPseudo = tag === PSEUDO.long || tag === PSEUDO.mirrored;

export const language: Language = tag.split("-")[0] === "de" ? "de" : "en";

/** The words of the window's language. */
export function chosen<Words extends object>(each: Record<Language, Words>): Words {
  return isPseudo ? marked(each.en) : each[language];
}

/** Before each text of the mirrored English, which is read from right to left as such a language's is. */
const FROM_THE_RIGHT = tag === PSEUDO.mirrored ? "\u200f" : "";

/** Every text between brackets, so that one that stands elsewhere than in the words is seen. */
function marked<Words>(words: Words): Words {
  return markedValue(words) as Words;
}

function markedValue(value: unknown): unknown {
  if (typeof value === "string") return `${FROM_THE_RIGHT}⟦${value}⟧`;
  if (typeof value === "function") return (...given: unknown[]): unknown => markedValue(Reflect.apply(value, undefined, given));
  if (Array.isArray(value)) return value.map(markedValue);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, markedValue(inner)]));
  }
  return value;
}

/** What numbers and lists are written for. */
const LOCALE: Record<Language, string> = { en: "en-GB", de: "de-DE" };

let numbers: Intl.NumberFormat | undefined;
let rules: Intl.PluralRules | undefined;
let lists: Intl.ListFormat | undefined;

/** `2,000`, and in German `2.000`. */
export function number(value: number): string {
  numbers ??= new Intl.NumberFormat(LOCALE[language]);
  return numbers.format(value);
}

/** `3.2`, and in German `3,2`, with so many digits behind the point. */
export function decimal(value: number, digits: number): string {
  return value.toLocaleString(LOCALE[language], { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The forms that the languages here tell apart. */
export interface Forms {
  one: string;
  other: string;
}

/** The form that goes with a count: `plural(2, { one: "tool", other: "tools" })` is `tools`. */
export function plural(count: number, forms: Forms): string {
  rules ??= new Intl.PluralRules(LOCALE[language]);
  return rules.select(count) === "one" ? forms.one : forms.other;
}

/** `1 tool`, `2,000 tools`. */
export function counted(count: number, forms: Forms): string {
  return `${number(count)} ${plural(count, forms)}`;
}

/** `Close (Ctrl+J)`, and only `Close` where nothing has keys. */
export function keyed(text: string, keys: string | undefined): string {
  return keys === undefined ? text : `${text} (${keys})`;
}

/** `a, b and c`. */
export function listed(texts: readonly string[]): string {
  lists ??= new Intl.ListFormat(LOCALE[language], { type: "conjunction" });
  return lists.format(texts);
}
