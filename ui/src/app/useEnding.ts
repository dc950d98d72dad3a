/** Keeps what was typed last when the program ends: by its window's button, a signal, a logout. */
import { useEffect } from "react";
import { flushSync } from "react-dom";

import type { Stores } from "./stores";


export function useEnding(stores: Stores): void {
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
