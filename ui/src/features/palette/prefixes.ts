/** What the first character of the palette's text chooses. */
const PREFIXES = ["/", "@", ">", "#", "?"] as const;
export type Prefix = (typeof PREFIXES)[number];

/** What a text chooses; empty where it looks for everything. */
export function prefixOf(text: string): Prefix | "" {
  return PREFIXES.find((prefix) => text.startsWith(prefix)) ?? "";
}
