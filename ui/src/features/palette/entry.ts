/** The types of the palette's entries and search results. */
import type { ReactNode } from "react";

import type { SignName } from "../../components/signs";
import { matchAll, wordsOf, type Field, type Match } from "./fuzzy";

export interface Entry {
  /** The identity of the entry, which does not change with the results. Recent items are stored under this key. */
  key: string;
  /** The icon before the label. */
  icon: SignName;
  /** A Tailwind class for the color of an icon that shows a state. */
  iconColor?: string;
  /** The name or title of the entry. Text from servers is never rendered as markup. */
  label: string;
  /** The indexes of the matching letters in the label. */
  at: readonly number[];
  /** A short text after the label in a dim color, such as a tool's member. */
  detail: string;
  /** Renders content at the end of the row. */
  end?: () => ReactNode;
  /** The reason why the entry can't be chosen now; `undefined` if it can. */
  unavailable?: string | undefined;
  /** The quality of the match. Higher scores come first. */
  score: number;
  /** Runs or opens the entry. Called after the palette has closed. */
  choose: () => void;
  /** A text that replaces the palette's text. The palette then stays open. */
  goOn?: string;
}

export interface Section {
  title: string;
  entries: readonly Entry[];
}

export interface Found {
  sections: readonly Section[];
  /** Whether better entries may still arrive. An Enter press takes effect only after they have arrived. */
  waiting: boolean;
  /** The message for an empty list. */
  nothing: string;
}

export const NOTHING_FOUND: Found = { sections: [], waiting: false, nothing: "" };

/** The entries of the items that match the query, the best first. */
export function matchingEntries<T>(
  query: string,
  items: readonly T[],
  fieldsOf: (item: T) => readonly Field[],
  entryOf: (item: T, match: Match) => Entry,
): Entry[] {
  const words = wordsOf(query);
  const entries = items.flatMap((item) => {
    const match = matchAll(words, fieldsOf(item));
    return match ? [entryOf(item, match)] : [];
  });
  return entries.sort((a, b) => b.score - a.score);
}
