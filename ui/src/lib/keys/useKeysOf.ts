/** Hooks that read the user's current shortcuts. */
import { createContext, use } from "react";

import { keyLabel } from "./keyLabel";
import { keysOf, NO_OWN_KEYS, type KeyedAction, type OwnKeys } from "./actionKeys";
import { isMeant, type Press } from "./pressing";

/** The user's customized shortcuts. Empty without a provider, as in tests of single components. */
export const OwnKeysContext = createContext<OwnKeys>(NO_OWN_KEYS);

/** The label of an action's shortcut; `undefined` if the action has no shortcut. */
export function useKeysOf(action: KeyedAction): string | undefined {
  const keys = keysOf(action, use(OwnKeysContext));
  return keys === undefined ? undefined : keyLabel(keys);
}

const SENDING = ["run", "send-anyway"] as const;

interface HeardPress {
  readonly nativeEvent: Press & Pick<KeyboardEvent, "target" | "isComposing">;
}

/**
 * Returns a function that maps a key press to `run` (run with validation), `send-anyway` (run without validation)
 * or `undefined`. Tool forms, elicitations and approvals handle these shortcuts themselves, before their text
 * editors do, and stop the event so that another form on the page does not handle it as well.
 */
export function useSending(): (event: HeardPress) => (typeof SENDING)[number] | undefined {
  const own = use(OwnKeysContext);
  return ({ nativeEvent: press }) => {
    if (press.isComposing) return undefined;
    return SENDING.find((action) => {
      const keys = keysOf(action, own);
      return keys !== undefined && isMeant(keys, press);
    });
  };
}
