/** The user's current shortcut of an action, for code that shows or handles it. */
import { createContext, use } from "react";

import { keyLabel } from "./keyLabel";
import { keysOf, NO_OWN_KEYS, type KeyedAction, type OwnKeys } from "./actionKeys";
import { isMeant, type Press } from "./pressing";

/** The user's customized shortcuts; empty outside a window. */
export const OwnKeysContext = createContext<OwnKeys>(NO_OWN_KEYS);

/** The label of an action's keys; `undefined` if it has none. */
export function useKeysOf(action: KeyedAction): string | undefined {
  const keys = keysOf(action, use(OwnKeysContext));
  return keys === undefined ? undefined : keyLabel(keys);
}

const SENDING = ["run", "send-anyway"] as const;

interface HeardPress {
  readonly nativeEvent: Press & Pick<KeyboardEvent, "target" | "isComposing">;
}

/**
 * Which way of sending a press asks for. A form, a question and an agent's call hear these keys
 * themselves, before the editors within them do, and keep them from the form beside.
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
