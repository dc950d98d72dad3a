import { useMemo } from "react";

import { useRecent } from "../../lib/recent";

/**
 * The maximum bonus for recent use. It is less than the score difference between a match at the start of a word
 * and a substring match, so that recent use only decides between equally good matches.
 */
const BONUS_MAX = 150;

/** Returns the score bonus that an entry gets for recent use. The bonuses do not change while the palette is open. */
export function useRecentBonus(): (key: string) => number {
  const recent = useRecent();
  return useMemo(() => {
    const keys = recent.keys.get();
    const bonus = new Map(keys.map((key, index) => [key, BONUS_MAX * (1 - index / keys.length)]));
    return (key: string) => bonus.get(key) ?? 0;
  }, [recent]);
}
