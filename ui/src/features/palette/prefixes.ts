/** The first characters that select a kind of results. */
const PREFIXES = ["/", "@", ">", "#", "?"] as const;
export type Prefix = (typeof PREFIXES)[number];

/** The prefix of a text; empty if the text searches all kinds. */
export function prefixOf(text: string): Prefix | "" {
  return PREFIXES.find((prefix) => text.startsWith(prefix)) ?? "";
}
