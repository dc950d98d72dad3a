/** Checks of strings against JSON Schema formats. The result is only a hint: servers interpret formats differently. */

const SHAPES: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["time", isTime],
  ["date-time", isDateTime],
  ["duration", (text: string) => /^P(?=.)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(text)],
  ["email", isEmail],
  ["idn-email", isEmail],
  ["uri", isUri],
  ["url", isUri],
  ["iri", isUri],
  ["uuid", (text: string) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)],
  ["ipv4", (text: string) => /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split(".").every((part) => Number(part) < 256)],
  ["ipv6", (text: string) => text.includes(":") && /^[0-9a-f:.]+$/i.test(text) && parses(`http://[${text}]/`)],
  ["hostname", (text: string) => text.length <= 253 && text.split(".").every((part) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(part))],
]);

/** Maximum characters of a string that is checked. */
const LENGTH_MAX = 10_000;

/** Whether a string matches its format. Unknown formats, empty strings and very long strings count as matching. */
export function looksLike(format: string | undefined, text: string): boolean {
  const shape = format === undefined ? undefined : SHAPES.get(format);
  return shape === undefined || text === "" || text.length > LENGTH_MAX || shape(text);
}

function parses(address: string): boolean {
  try {
    return new URL(address).href !== "";
  } catch {
    return false;
  }
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"\\^`{|}]+$/i.test(text) && parses(text);
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return at > 0 && /^[^\s@:,;<>()[\]\\"]+$/.test(text.slice(0, at)) && /^[^\s@.]+(?:\.[^\s@.]+)*$/.test(text.slice(at + 1));
}

function isDate(text: string): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (found === null) return false;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  // Day 0 of the next month is the last day of this month. `Date.UTC` maps years below 100 to 1900–1999, so an
  // equivalent year from 2000 to 2399 is used.
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

function isTime(text: string): boolean {
  const found = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|[+-](\d{2}):(\d{2}))$/i.exec(text);
  if (found === null) return false;
  const [hour, minute, second, offsetHour, offsetMinute] = (found.slice(1) as (string | undefined)[]).map((part) => Number(part ?? 0)) as [number, number, number, number, number];
  return hour < 24 && minute < 60 && second <= 60 && offsetHour < 24 && offsetMinute < 60;
}

function isDateTime(text: string): boolean {
  return /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}
