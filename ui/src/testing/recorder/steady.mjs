/** Replaces values that differ between runs, such as times and ports, by constant ones. */
const AT_MS = Date.UTC(2026, 10, 21, 9, 0);
const LONGEST_SPAN_MS = 366 * 24 * 60 * 60 * 1_000;
const DURATION = 12;

/** Returns a function that replaces variable values. `places` are pairs of a path and its replacement. */
export function steadied(places) {
  const known = new Map();
  const numbered = (kind, text, width) => {
    const all = known.get(kind) ?? new Map();
    known.set(kind, all);
    if (!all.has(text)) all.set(text, String(all.size + 1).padStart(width, "0"));
    return all.get(text);
  };
  const steadyText = (text) => {
    const placed = places.reduce((all, [from, to]) => all.replaceAll(from, to), text);
    return placed
      .replace(/guild-hall-\d{12}/g, "guild-hall-202611210900")
      .replace(/\b(?<=client-)[0-9a-f]{12}\b/g, (hex) => numbered("client", hex, 1))
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, "2026-11-21T09:00:00Z")
      .replace(/127\.0\.0\.1:(\d{4,5})\b/g, (whole, port) => (port === "27017" ? whole : `127.0.0.1:${19_998 + Number(numbered("port", port, 1))}`))
      .replace(/\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{16,64}\b/g, (hex) => numbered("hex", hex, hex.length))
      .replace(/\b[A-Za-z0-9_-]{32,}\b/g, (token) => (/\d/.test(token) && /[A-Z]/.test(token) && /[a-z]/.test(token) ? `token-${numbered("token", token, 26)}` : token));
  };
  const steady = (value, key = "") => {
    if (typeof value === "string") return key === "tokenEnd" ? "0001" : steadyText(value);
    if (typeof value === "number") {
      if (Math.abs(value - Date.now()) < LONGEST_SPAN_MS) return AT_MS;
      if (/^(durationMs|tookMs|durationUs|totalBytes|searchedBytes|bytes|size)$/.test(key)) return DURATION;
      if (key === "revision" || (key === "attempt" && value > 0)) return 1;
      if (key === "pid") return 41_207;
      if (key === "port" && value > 1_024) return 19_998 + Number(numbered("port", String(value), 1));
      return value;
    }
    if (Array.isArray(value)) return value.map((one) => steady(one));
    if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [steadyText(name), steady(inner, name)]));
    return value;
  };
  return steady;
}
