/** Keeps what was typed last when the program ends: by its window's button, a signal, a logout. */
import { useEffect } from "react";
import { flushSync } from "react-dom";

import type { House } from "./house";

export function useEnding(house: House): void {
  useEffect(
    () =>
      house.hall.onEnding(() => {
        // Uncommitted text of a field belongs to the draft as well.
        flushSync(() => house.form()?.commit());
        return house.bench.drafts.flush();
      }),
    [house],
  );
}
