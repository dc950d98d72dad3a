/** Hooks for work on large texts. Small work runs during rendering, and large work in slices afterwards. */

import { useEffect, useMemo, useState } from "react";

import { finish, inSlices, type Steps } from "./steps";
import { readTape, type TapeRead } from "./tape";

/** The maximum length of a text that is processed during rendering, in characters. */
const AT_ONCE = 200_000;

/**
 * The result of the task that `begin` creates; `null` until the task ends. A new `begin` function starts a new
 * task, so it must be memoized. `weight` is the length of the processed text in characters.
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

/** A text parsed as JSON; `null` until it is parsed. */
export function useTape(text: string): TapeRead | null {
  const begin = useMemo(() => () => readTape(text), [text]);
  return useSteps(begin, text.length);
}
