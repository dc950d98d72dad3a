/** Applies the user's keyboard shortcuts to actions, and finds shortcuts that two actions share. */
import type { Action } from "../../lib/actions";
import type { OwnKeys } from "../../lib/keys/actionKeys";

/** Returns the actions with the user's shortcuts. An empty string removes the shortcut of an action. */
export function withOwnKeys(actions: readonly Action[], own: OwnKeys): Action[] {
  return actions.map((action) => {
    const keys = own[action.id];
    if (keys === undefined) return action;
    const rest: Action = { ...action };
    delete rest.keys;
    delete rest.alsoKeys;
    return keys === "" ? rest : { ...rest, keys };
  });
}

interface Conflict {
  readonly keys: string;
  /** The action that the shortcut runs. */
  readonly first: Action;
  readonly other: Action;
}

/** Shortcuts that are assigned to two actions, in the order of the actions. */
export function conflictsOf(actions: readonly Action[]): Conflict[] {
  const byKeys = new Map<string, Action>();
  const conflicts: Conflict[] = [];
  for (const action of actions) {
    for (const keys of [action.keys, action.alsoKeys]) {
      if (keys === undefined) continue;
      const first = byKeys.get(keys);
      if (!first) byKeys.set(keys, action);
      else if (first.id !== action.id) conflicts.push({ keys, first, other: action });
    }
  }
  return conflicts;
}
