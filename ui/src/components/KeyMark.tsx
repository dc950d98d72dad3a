import type { KeyedAction } from "../lib/keys/actionKeys";
import { useKeysOf } from "../lib/keys/useKeysOf";

/** Shows the shortcut of an action, for example in its button. Renders nothing if the action has no shortcut. */
export function KeyMark({ of, className = "" }: { of: KeyedAction; className?: string }) {
  const keys = useKeysOf(of);
  return keys === undefined ? null : <kbd className={`font-sans ${className}`.trim()}>{keys}</kbd>;
}
