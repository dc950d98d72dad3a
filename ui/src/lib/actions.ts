/** Actions: the commands that the palette, the keyboard shortcuts and the list of shortcuts share. */
import { storeContext } from "./storeContext";

/** The groups of actions, in the order of the Keyboard shortcuts dialog. */
export const GROUPS = ["Find", "Tool", "Member", "Go to", "Window"] as const;
type Group = (typeof GROUPS)[number];

export interface Action {
  id: string;
  title: string;
  group: Group;
  /** The shortcut in the notation of `actionKeys.ts`, such as `Ctrl+Shift+R`. */
  keys?: string;
  /** A second shortcut for this action. */
  alsoKeys?: string;
  /** The reason why the action can't run now, shown to the user. `undefined` if it can run. */
  unavailable?: string | undefined;
  run: () => void;
}

/** The functions that create the list of all actions for the window's current state. */
interface ActionList {
  /** All actions with the user's shortcuts from the settings. */
  readonly all: () => Action[];
  /** All actions with their default shortcuts. */
  readonly usual: () => Action[];
}

export const [ActionListContext, useActionList] = storeContext<ActionList>("useActionList");
