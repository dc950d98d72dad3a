/** Saves the last typed text before the program exits. */
import { useEffect } from "react";
import { flushSync } from "react-dom";

import type { Stores } from "./stores";

export function useFlushOnExit(stores: Stores): void {
  useEffect(
    () =>
      stores.hall.onEnding(() => {
        // Uncommitted text of a field belongs to the draft as well.
        flushSync(() => stores.pageForm.current()?.commit());
        return stores.bench.drafts.flush();
      }),
    [stores],
  );
}
