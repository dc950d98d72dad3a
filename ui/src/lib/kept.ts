/**
 * Stores small values in the local storage, such as sizes, zoom and recently used items. A parser validates each
 * value that is read, because another version of the app may have written it.
 */
const PREFIX = "guild-hall.";
/** The maximum length of a stored value as JSON, in characters. Longer values are neither written nor read. */
const TEXT_MAX = 16 * 1024;

/** The value stored under a name; `fallback` if no value is stored or `parse` returns `undefined` for it. */
export function readKept<T>(name: string, parse: (value: unknown) => T | undefined, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    if (text === null || text.length > TEXT_MAX) return fallback;
    return parse(JSON.parse(text)) ?? fallback;
  } catch {
    // The storage may be disabled, or the stored text may not be JSON.
    return fallback;
  }
}

/** Stores a value; `undefined` removes the stored one. If the storage is unavailable, nothing is stored. */
export function keep(name: string, value: unknown): void {
  try {
    const text = value === undefined ? undefined : JSON.stringify(value);
    if (text === undefined) localStorage.removeItem(PREFIX + name);
    else if (text.length <= TEXT_MAX) localStorage.setItem(PREFIX + name, text);
  } catch {
    // The storage may be disabled or full.
  }
}

/** A parser that accepts finite numbers and clamps them to the range from `least` to `most`. */
export function numberWithin(least: number, most: number): (value: unknown) => number | undefined {
  return (value) =>
    typeof value === "number" && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : undefined;
}

/** A parser for a list of strings. It keeps the first `count` strings that have at most `length` characters. */
export function textsWithin(count: number, length: number): (value: unknown) => string[] | undefined {
  return (value) =>
    Array.isArray(value)
      ? value.filter((text): text is string => typeof text === "string" && text.length <= length).slice(0, count)
      : undefined;
}

export const NORMAL_ZOOM = 100;

/** The stored zoom in percent. `boot.ts` reads it too, before the app loads. */
export function keptZoom(): number {
  return readKept("zoom", numberWithin(50, 300), NORMAL_ZOOM);
}

export function keepZoom(percent: number): void {
  keep("zoom", percent === NORMAL_ZOOM ? undefined : percent);
}
