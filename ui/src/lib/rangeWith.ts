import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";

/** A range extractor that always renders the active row, because `aria-activedescendant` refers to it. */
export function rangeWith(active: number): (range: Range) => number[] {
  return (range) => {
    const indexes = defaultRangeExtractor(range);
    if (active < 0 || active >= range.count || indexes.includes(active)) return indexes;
    return [...indexes, active].sort((a, b) => a - b);
  };
}
