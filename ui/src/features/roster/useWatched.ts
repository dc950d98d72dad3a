import { useEffect, useRef } from "react";

import type { MemberName } from "../../ipc/bindings";
import type { Hall } from "../../lib/hall/hall";

/** Keeps the lists of the expanded members read. */
export function useWatched(hall: Hall, expanded: ReadonlySet<MemberName>): void {
  const watched = useRef(new Map<MemberName, () => void>());
  useEffect(() => {
    for (const [member, end] of watched.current) {
      if (expanded.has(member)) continue;
      end();
      watched.current.delete(member);
    }
    for (const member of expanded) {
      if (!watched.current.has(member)) watched.current.set(member, hall.watch(member));
    }
  }, [hall, expanded]);
  useEffect(() => {
    const all = watched.current;
    return () => {
      for (const end of all.values()) end();
      all.clear();
    };
  }, [hall]);
}
