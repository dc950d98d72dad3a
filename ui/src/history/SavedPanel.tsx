/** All calls that were kept under a name. */
import { useState } from "react";

import { SavedList } from "./SavedList";

export default function SavedPanel() {
  const [query, setQuery] = useState("");
  return (
    <div className="flex min-h-0 flex-1 flex-col short:max-wide:flex-none" data-testid="saved-panel">
      <div className="shrink-0 border-b border-line px-2 py-1">
        <input
          type="search"
          aria-label="Search saved calls"
          placeholder="Name, member or tool…"
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-6 w-full max-w-96 rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <SavedList member={null} tool={null} query={query} lendsFocus />
      </div>
    </div>
  );
}
