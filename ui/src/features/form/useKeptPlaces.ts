/** Remembers which places of a form are shown as JSON, for when the user leaves and returns. */
import { useCallback, useState, type Dispatch, type SetStateAction } from "react";

type Places = ReadonlySet<string>;
const NONE: Places = new Set();

/** A state that outlives its component, under a key of what keeps it. */
export function useKeptPlaces<K>(kept: Map<K, Places>, key: K): [Places, Dispatch<SetStateAction<Places>>] {
  const [now, setNow] = useState(() => kept.get(key) ?? NONE);
  const change = useCallback(
    (next: SetStateAction<Places>) => {
      const places = typeof next === "function" ? next(kept.get(key) ?? NONE) : next;
      kept.set(key, places);
      setNow(places);
    },
    [kept, key],
  );
  return [now, change];
}
