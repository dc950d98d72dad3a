import { useMemo } from "react";

import { useRecent } from "../../lib/recent";

/**
 * Less than the score difference between a word prefix and a substring, so that recent use only decides
 * between equal matches.
 */
const BONUS_MAX = 150;

/** The bonus that recent use adds to a score. The order stays while the palette is open. */
export function useRecentBonus(): (key: string) => number {
  const recent = useRecent();
  return useMemo(() => {
    const keys = recent.keys.get();
    const bonus = new Map(keys.map((key, index) => [key, BONUS_MAX * (1 - index / keys.length)]));
    return (key: string) => bonus.get(key) ?? 0;
  }, [recent]);
}
