/** Looking for words in a result: a plain text, upper and lower case alike. */

import { useCallback, useState } from "react";

/** More matches than these are not counted. */
export const MATCHES_MAX = 10_000;

/** What finds `words`; `null` where there is nothing to find. */
export function finder(words: string): RegExp | null {
  return words === "" ? null : new RegExp(words.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi");
}

export interface Hits {
  readonly words: string;
  readonly change: (words: string) => void;
  /** The hit that is shown, from 0. */
  readonly current: number;
  readonly step: (by: 1 | -1, total: number) => void;
}

/** What is looked for, and which hit is shown. */
export function useHits(): Hits {
  const [state, setState] = useState({ words: "", current: 0 });
  const change = useCallback((words: string) => setState({ words, current: 0 }), []);
  const step = useCallback(
    (by: 1 | -1, total: number) =>
      setState((held) => (total === 0 ? held : { ...held, current: (held.current + by + total) % total })),
    [],
  );
  return { ...state, change, step };
}
