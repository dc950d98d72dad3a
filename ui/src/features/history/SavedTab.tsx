import { useState, type RefObject } from "react";

import { SavedList } from "./SavedList";
import { SearchField } from "../../components/SearchField";

/** The Saved tab: a search field above the list of all saved calls. */
export function SavedTab({ takesFocusRef }: { takesFocusRef: RefObject<boolean> }) {
  const [query, setQuery] = useState("");
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="saved-panel">
      <div className="flex min-h-12 shrink-0 items-center border-b border-line px-5">
        <SearchField label="Search saved calls" placeholder="Search saved calls…" value={query} onValue={setQuery} className="w-full max-w-64" />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <SavedList member={null} tool={null} query={query} takesFocusRef={takesFocusRef} />
      </div>
    </div>
  );
}
