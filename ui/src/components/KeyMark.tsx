import type { KeyedAction } from "../lib/keys/actionKeys";
import { useKeysOf } from "../lib/keys/useKeysOf";

/** The keys of an action beside what does the same; nothing where it has none. */
export function KeyMark({ of, className = "" }: { of: KeyedAction; className?: string }) {
  const keys = useKeysOf(of);
  return keys === undefined ? null : <kbd className={`font-sans ${className}`.trim()}>{keys}</kbd>;
}
