/** An entry of the palette, of any kind. */
import type { ReactNode } from "react";

export interface Entry {
  /** Stays the same while the list changes around it; see the recent things. */
  key: string;
  /** What it is called. Text of servers is shown as text. */
  label: string;
  /** The positions of the matching letters in the label. */
  at: readonly number[];
  /** A few dim words behind the label, such as whose tool it is. */
  detail: string;
  /** Shown at the end of the line. */
  end?: () => ReactNode;
  /** Why it can't be chosen now. */
  unavailable?: string | undefined;
  /** How well it fits; the best come first. */
  score: number;
  /** Does it. The palette is closed before. */
  choose: () => void;
  /** Goes on in the palette with this text instead of closing it. */
  goOn?: string;
}

export interface Section {
  title: string;
  entries: readonly Entry[];
}

export interface Found {
  sections: readonly Section[];
  /** Better entries may still come: Enter waits for them. */
  waiting: boolean;
  /** What is said when there is nothing. */
  nothing: string;
}

export const NOTHING_FOUND: Found = { sections: [], waiting: false, nothing: "" };
