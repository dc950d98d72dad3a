/** The first character of the palette's text, which selects the kind of result. */
const PREFIXES = ["/", "@", ">", "#", "?"] as const;
export type Prefix = (typeof PREFIXES)[number];

/** The prefix of a text; empty for a search of all kinds. */
export function prefixOf(text: string): Prefix | "" {
  return PREFIXES.find((prefix) => text.startsWith(prefix)) ?? "";
}
