import { useEffect, useState } from "react";

import type { UpdateState } from "../bridge/bindings";
import type { Hall } from "../hall/hall";
import { useStore } from "../hall/store";

/** How it stands with newer versions: as it was read, and as it was told since. */
export function useUpdates(hall: Hall): UpdateState | null {
  const [read, setRead] = useState<UpdateState | null>(null);
  const told = useStore(hall.state, ({ updates }) => updates);
  useEffect(() => {
    let wanted = true;
    hall.ask("updates", {}).then(
      (state) => {
        if (wanted) setRead(state);
      },
      // The section then has its settings alone.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [hall]);
  return told ?? read;
}
