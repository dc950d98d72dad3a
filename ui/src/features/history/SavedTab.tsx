import { useState, type RefObject } from "react";

import { SavedList } from "./SavedList";

/** All saved calls, with a search. */
export function SavedTab({ takesFocusRef }: { takesFocusRef: RefObject<boolean> }) {
  const [query, setQuery] = useState("");
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="saved-panel">
      <div className="flex min-h-12 shrink-0 items-center border-b border-line px-5">
        <input
          type="search"
          aria-label="Search saved calls"
          placeholder="Search saved calls…"
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-7 w-full max-w-64 rounded-sm border border-control bg-bg px-2 placeholder:text-faint"
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <SavedList member={null} tool={null} query={query} takesFocusRef={takesFocusRef} />
      </div>
    </div>
  );
}
