/** The actions of the palette, the keys and the sheet of keys. */
import { storeContext } from "./storeContext";

/** In the order in which the sheet of keys shows them. */
export const GROUPS = ["Find", "Tool", "Member", "Go to", "Window"] as const;
type Group = (typeof GROUPS)[number];

export interface Action {
  id: string;
  title: string;
  group: Group;
  /** The shortcut as the keyboard table shows it. */
  keys?: string;
  /** A second key for the same. */
  alsoKeys?: string;
  /** Why it can't be done now. */
  unavailable?: string | undefined;
  run: () => void;
}

/** All actions at this moment. */
interface ActionList {
  /** With the shortcuts of the settings. */
  readonly all: () => Action[];
  /** With their default shortcuts. */
  readonly usual: () => Action[];
}

export const [ActionListContext, useActionList] = storeContext<ActionList>("useActionList");
