import { useEffect, useState } from "react";

import type { FoundTools } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Hall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";

const DEBOUNCE_MS = 60;
/**
 * The delay before a search is repeated because a tool list changed. Many lists may change in quick succession
 * when members start.
 */
const RENEW_MS = 400;
const LIMIT = 500;

interface Answer {
  query: string;
  found: FoundTools;
}

/** The tools that match a query, after a short time without typing; `null` while the query is empty. */
export function useSearch(hall: Hall, query: string): Answer | null {
  const trimmed = query.trim();
  const generations = useStore(hall.state, (state) => state.generations);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const renewing = answer?.query === trimmed;

  useEffect(() => {
    if (trimmed === "") return;
    let wanted = true;
    const timer = setTimeout(
      () => {
        hall.ask("search_tools", { query: trimmed, limit: LIMIT }).then(
          (found) => {
            if (wanted) setAnswer({ query: trimmed, found });
          },
          (reason: unknown) => {
            if (wanted) hall.tell(asRefusal(reason).report);
          },
        );
      },
      renewing ? RENEW_MS : DEBOUNCE_MS,
    );
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
    // `renewing` is not a dependency, because it only selects the delay and its change must not start a search.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hall, trimmed, generations]);

  return trimmed === "" ? null : answer;
}
