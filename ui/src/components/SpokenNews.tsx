/** Announces new items of a list to screen reader users, each item once. */
import { useEffect, useState } from "react";

interface Props<T> {
  /** The current items by id. */
  readonly open: ReadonlyMap<string, T>;
  readonly words: (one: T) => string;
  readonly testid: string;
}

export function SpokenNews<T>({ open, words, testid }: Props<T>) {
  const [seen, setSeen] = useState<{ open: typeof open; fresh: readonly (readonly [string, T])[] }>({ open: new Map(), fresh: [] });
  if (seen.open !== open) {
    const fresh = [...open].filter(([id]) => !seen.open.has(id));
    // The text of earlier items stays until new items arrive, so that no text is announced twice.
    setSeen({ open, fresh: fresh.length > 0 ? fresh : open.size === 0 ? [] : seen.fresh });
  }
  // Screen readers announce only changes after the live region was added, so the text is set after the first render.
  const [spoken, setSpoken] = useState(seen.fresh);
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(seen.fresh), 0);
    return () => clearTimeout(timer);
  }, [seen.fresh]);
  return (
    <p role="alert" className="sr-only" data-testid={testid}>
      {spoken.map(([id, one]) => (
        // A new element per item makes screen readers announce items with equal texts.
        <span key={id}>{`${words(one)}. `}</span>
      ))}
    </p>
  );
}
