/** A person's own keys in the place of those that actions have. */
import type { Action } from "../../lib/actions";
import type { OwnKeys } from "../../lib/keys/actionKeys";

/** The actions with the keys that a person gave them; an empty text takes an action's keys away. */
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
  /** The one that the keys mean. */
  readonly first: Action;
  readonly other: Action;
}

/** Keys that mean two actions, in the actions' order. */
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
