/** Numbers, counts and lists as the window writes them. */
const LOCALE = "en-GB";

let numbers: Intl.NumberFormat | undefined;
let rules: Intl.PluralRules | undefined;
let lists: Intl.ListFormat | undefined;

/** `2,000`. */
export function number(value: number): string {
  numbers ??= new Intl.NumberFormat(LOCALE);
  return numbers.format(value);
}

/** `3.2`, with `digits` digits after the point. */
export function decimal(value: number, digits: number): string {
  return value.toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The singular and the plural. */
export interface Forms {
  one: string;
  other: string;
}

/** The form that goes with a count: `plural(2, { one: "tool", other: "tools" })` is `tools`. */
export function plural(count: number, forms: Forms): string {
  rules ??= new Intl.PluralRules(LOCALE);
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
  lists ??= new Intl.ListFormat(LOCALE, { type: "conjunction" });
  return lists.format(texts);
}
