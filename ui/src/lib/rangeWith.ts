import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";

/** The rows to draw, the active one among them: the target of `aria-activedescendant` has to exist. */
export function rangeWith(active: number): (range: Range) => number[] {
  return (range) => {
    const indexes = defaultRangeExtractor(range);
    if (active < 0 || active >= range.count || indexes.includes(active)) return indexes;
    return [...indexes, active].sort((a, b) => a - b);
  };
}
