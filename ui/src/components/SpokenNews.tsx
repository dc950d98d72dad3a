/** Says each new one of what waits aloud, once. */
import { useEffect, useState } from "react";

interface Props<T> {
  /** All that wait, by their ids. */
  readonly open: ReadonlyMap<string, T>;
  readonly words: (one: T) => string;
  readonly testid: string;
}

export function SpokenNews<T>({ open, words, testid }: Props<T>) {
  const [seen, setSeen] = useState<{ open: typeof open; fresh: readonly (readonly [string, T])[] }>({ open: new Map(), fresh: [] });
  if (seen.open !== open) {
    const fresh = [...open].filter(([id]) => !seen.open.has(id));
    // The words of an older one stand until there are new ones: nothing is said twice.
    setSeen({ open, fresh: fresh.length > 0 ? fresh : open.size === 0 ? [] : seen.fresh });
  }
  // A live region is heard only for what changes after it is there.
  const [spoken, setSpoken] = useState(seen.fresh);
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(seen.fresh), 0);
    return () => clearTimeout(timer);
  }, [seen.fresh]);
  return (
    <p role="alert" className="sr-only" data-testid={testid}>
      {spoken.map(([id, one]) => (
        // Another one of the same words is another element, and so is heard.
        <span key={id}>{`${words(one)}. `}</span>
      ))}
    </p>
  );
}
