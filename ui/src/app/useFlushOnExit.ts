/** Saves drafts before the program exits. */
import { useEffect } from "react";
import { flushSync } from "react-dom";

import type { Stores } from "./stores";

export function useFlushOnExit(stores: Stores): void {
  useEffect(
    () =>
      stores.hall.onEnding(() => {
        // The focused field may contain text that is not in the draft yet.
        flushSync(() => stores.pageForm.current()?.commit());
        return stores.bench.drafts.flush();
      }),
    [stores],
  );
}
