/** Remembers which values of a form are edited as JSON, while the user visits other pages. */
import { useCallback, useState, type Dispatch, type SetStateAction } from "react";

type Places = ReadonlySet<string>;
const NONE: Places = new Set();

/** Like `useState`, but stores the state in the map `kept` under `key`, so that it survives unmounting. */
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
