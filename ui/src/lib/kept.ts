/**
 * Values that the window stores across restarts: sizes, zoom, recently used items. Small values only. Each is
 * validated by a parser, because another version or program may have written it.
 */
const PREFIX = "guild-hall.";
/** Larger values are neither written nor read. */
const TEXT_MAX = 16 * 1024;

/** The value stored under a name; `fallback` if there is none that `parse` accepts. */
export function readKept<T>(name: string, parse: (value: unknown) => T | undefined, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    if (text === null || text.length > TEXT_MAX) return fallback;
    return parse(JSON.parse(text)) ?? fallback;
  } catch {
    // Storage may be switched off, and the text may not be JSON.
    return fallback;
  }
}

/** Keeps a value; `undefined` forgets it. Without storage it lasts as long as the window. */
export function keep(name: string, value: unknown): void {
  try {
    const text = value === undefined ? undefined : JSON.stringify(value);
    if (text === undefined) localStorage.removeItem(PREFIX + name);
    else if (text.length <= TEXT_MAX) localStorage.setItem(PREFIX + name, text);
  } catch {
    // Storage may be switched off or full.
  }
}

/** Takes a finite number and brings it between two limits. */
export function numberWithin(least: number, most: number): (value: unknown) => number | undefined {
  return (value) =>
    typeof value === "number" && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : undefined;
}

/** Takes a list of texts, at most `count` of them, each of at most `length` characters. */
export function textsWithin(count: number, length: number): (value: unknown) => string[] | undefined {
  return (value) =>
    Array.isArray(value)
      ? value.filter((text): text is string => typeof text === "string" && text.length <= length).slice(0, count)
      : undefined;
}

export const NORMAL_ZOOM = 100;

/** The zoom in percent. The page's first script reads it too, before the app. */
export function keptZoom(): number {
  return readKept("zoom", numberWithin(50, 300), NORMAL_ZOOM);
}

export function keepZoom(percent: number): void {
  keep("zoom", percent === NORMAL_ZOOM ? undefined : percent);
}
