/** Hooks that read the user's current shortcuts. */
import { createContext, use, type KeyboardEvent } from "react";

import { keyLabel } from "./keyLabel";
import { keysOf, NO_OWN_KEYS, type KeyedAction, type OwnKeys } from "./actionKeys";
import { isMeant } from "./pressing";

/** The user's customized shortcuts. Empty without a provider, as in tests of single components. */
export const OwnKeysContext = createContext<OwnKeys>(NO_OWN_KEYS);

/** The label of an action's shortcut; `undefined` if the action has no shortcut. */
export function useKeysOf(action: KeyedAction): string | undefined {
  const keys = keysOf(action, use(OwnKeysContext));
  return keys === undefined ? undefined : keyLabel(keys);
}

const SENDING = ["run", "send-anyway"] as const;

/**
 * Returns a key handler that calls `send` for the shortcuts `run` (run with validation) and `send-anyway` (run without
 * validation). Tool forms, elicitations and approvals handle these shortcuts themselves, before their text editors do.
 * The handler stops the event, so that another form on the page does not handle it as well.
 */
export function useSending(send: (action: (typeof SENDING)[number]) => void): (event: KeyboardEvent) => void {
  const own = use(OwnKeysContext);
  return (event) => {
    const { nativeEvent: press } = event;
    if (press.isComposing) return;
    const action = SENDING.find((one) => {
      const keys = keysOf(one, own);
      return keys !== undefined && isMeant(keys, press);
    });
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    // If the keys are held down, `send` is called only once.
    if (!event.repeat) send(action);
  };
}
