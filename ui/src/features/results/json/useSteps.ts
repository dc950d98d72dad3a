/** Work on a large text, as a part of the page: done at once where it is small, else in slices. */

import { useEffect, useMemo, useState } from "react";

import { finish, inSlices, type Steps } from "./steps";
import { readTape, type TapeRead } from "./tape";

/** A text up to this length is worked on while the page is drawn. */
const AT_ONCE = 200_000;

/**
 * What the work gives; `null` while it is being done. `begin` has to stay the same function while
 * the work is the same, and `weight` says how much text it is about.
 */
export function useSteps<T>(begin: () => Steps<T>, weight: number): T | null {
  const small = useMemo(() => (weight <= AT_ONCE ? { value: finish(begin()) } : null), [begin, weight]);
  const [large, setLarge] = useState<{ begin: () => Steps<T>; value: T } | null>(null);
  useEffect(() => {
    if (small !== null) return;
    const calledOff = new AbortController();
    void inSlices(begin(), calledOff.signal).then((value) => {
      if (value !== null && !calledOff.signal.aborted) setLarge({ begin, value });
    });
    return () => calledOff.abort();
  }, [begin, small]);
  if (small !== null) return small.value;
  return large?.begin === begin ? large.value : null;
}

/** A text read as JSON; `null` while it is read. */
export function useTape(text: string): TapeRead | null {
  const begin = useMemo(() => () => readTape(text), [text]);
  return useSteps(begin, text.length);
}
