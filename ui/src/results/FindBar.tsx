import type { KeyboardEvent, RefObject } from "react";

import { PART_KEYS } from "../app/actionKeys";
import { Button } from "../parts/Button";
import { number } from "../words/format";
import { keyLabel } from "../words/keys";
import { type Hits, MATCHES_MAX } from "./find";

const findIn = (what: string) => `Find in ${what}`;

interface Props {
  readonly hits: Hits;
  /** How many were found; `null` while they are looked for. */
  readonly total: number | null;
  /** What is looked through. */
  readonly what: string;
  readonly field?: RefObject<HTMLInputElement | null>;
}

function found(total: number | null, current: number): string {
  if (total === null) return "…";
  if (total === 0) return "none";
  return `${number(current + 1)} of ${number(total)}${total >= MATCHES_MAX ? "+" : ""}`;
}

/** A search field with its count; Enter goes to the next hit, Shift+Enter to the one before. */
export function FindBar({ hits, total, what, field }: Props) {
  const step = (by: 1 | -1) => hits.step(by, total ?? 0);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape" && hits.words !== "") hits.change("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span role="search" aria-label={findIn(what)} className="inline-flex min-w-0 items-center gap-1">
      <input
        ref={field}
        type="search"
        aria-label={findIn(what)}
        placeholder="Find"
        title={`${keyLabel(PART_KEYS.findNext)}: next, ${keyLabel(PART_KEYS.findPrevious)}: previous`}
        value={hits.words}
        onChange={(event) => hits.change(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-5 w-28 min-w-0 rounded-sm border border-line-strong bg-bg px-1 text-sm text-text"
      />
      {hits.words !== "" && (
        <>
          <span role="status" aria-label="matches" className="text-sm whitespace-nowrap text-dim">{found(total, hits.current)}</span>
          <Button look="quiet" className="h-5 px-1" aria-label="Previous match" unavailable={total ? undefined : "Nothing was found"} onClick={() => step(-1)}>
            ↑
          </Button>
          <Button look="quiet" className="h-5 px-1" aria-label="Next match" unavailable={total ? undefined : "Nothing was found"} onClick={() => step(1)}>
            ↓
          </Button>
        </>
      )}
    </span>
  );
}
