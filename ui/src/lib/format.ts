/** Formats numbers, counts and lists for the interface. */
const LOCALE = "en-GB";

let numbers: Intl.NumberFormat | undefined;
let rules: Intl.PluralRules | undefined;
let lists: Intl.ListFormat | undefined;

/** Formats an integer: `2,000`. */
export function number(value: number): string {
  numbers ??= new Intl.NumberFormat(LOCALE);
  return numbers.format(value);
}

/** Formats a number with `digits` digits after the decimal point: `3.2`. */
export function decimal(value: number, digits: number): string {
  return value.toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The singular and the plural of a noun. */
export interface Forms {
  one: string;
  other: string;
}

/** The form for a count: `plural(2, { one: "tool", other: "tools" })` is `tools`. */
export function plural(count: number, forms: Forms): string {
  rules ??= new Intl.PluralRules(LOCALE);
  return rules.select(count) === "one" ? forms.one : forms.other;
}

/** A count with its noun: `1 tool`, `2,000 tools`. */
export function counted(count: number, forms: Forms): string {
  return `${number(count)} ${plural(count, forms)}`;
}

/** A label with its shortcut: `Close (Ctrl+J)`. Without a shortcut, only the label. */
export function keyed(text: string, keys: string | undefined): string {
  return keys === undefined ? text : `${text} (${keys})`;
}

/** Joins a list: `a, b and c`. */
export function listed(texts: readonly string[]): string {
  lists ??= new Intl.ListFormat(LOCALE, { type: "conjunction" });
  return lists.format(texts);
}
