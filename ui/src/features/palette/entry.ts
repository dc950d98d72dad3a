/** An entry of the palette, of any kind. */
import type { ReactNode } from "react";

import type { SignName } from "../../components/signs";

export interface Entry {
  /** Stays the same while the list changes around it; see the recent things. */
  key: string;
  /** The icon before its label. */
  icon: SignName;
  /** A Tailwind class for the color of an icon that shows a state. */
  iconColor?: string;
  /** Its name or title. Text of servers is shown as text. */
  label: string;
  /** The positions of the matching letters in the label. */
  at: readonly number[];
  /** A few dim words behind the label, such as a tool's member. */
  detail: string;
  /** Shown at the end of the line. */
  end?: () => ReactNode;
  /** Why it can't be chosen now. */
  unavailable?: string | undefined;
  /** How well it fits; the best come first. */
  score: number;
  /** Runs or opens it, after the palette has closed. */
  choose: () => void;
  /** Replaces the palette's text instead of closing the palette. */
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
  /** The message if there are no entries. */
  nothing: string;
}

export const NOTHING_FOUND: Found = { sections: [], waiting: false, nothing: "" };
