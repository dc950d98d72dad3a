import { useCallback, useEffect, useRef, useState } from "react";

import type { DiscoverySettings, DiscoveryState, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { errorOf } from "../../../lib/errorOf";
import type { Hall } from "../../../lib/hall/hall";

export interface Discovery {
  readonly state: DiscoveryState | null;
  readonly trouble: Report | null;
  readonly read: () => Promise<void>;
  /** Writes the settings. Returns the error if the request failed. */
  readonly change: (settings: DiscoverySettings) => Promise<Report | null>;
}

/** Reads and writes the settings in `config.yml`. */
export function useDiscovery(hall: Hall): Discovery {
  const [{ state, trouble }, setAnswer] = useState<{ state: DiscoveryState | null; trouble: Report | null }>({ state: null, trouble: null });
  const turn = useRef(0);
  const read = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    try {
      const now = await hall.ask("discovery_settings", {});
      if (mine === turn.current) setAnswer({ state: now, trouble: null });
    } catch (reason) {
      if (mine === turn.current) setAnswer((before) => ({ ...before, trouble: asRefusal(reason).report }));
    }
  }, [hall]);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the state is set after an await
    void read();
    return () => {
      turn.current += 1;
    };
  }, [read]);
  const change = (settings: DiscoverySettings) =>
    errorOf(async () => {
      if (state === null) return;
      const now = await hall.ask("change_discovery_settings", { seen: state.settings, settings });
      turn.current += 1;
      setAnswer({ state: now, trouble: null });
    });
  return { state, trouble, read, change };
}
