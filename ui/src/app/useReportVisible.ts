/** Reports the visible page to the engine, so that visible members are started first. */
import { useEffect, useRef } from "react";

import type { MemberName } from "../ipc/bindings";
import { memberOf } from "../lib/navigation/places";
import { useStore } from "../lib/store";
import type { Stores } from "./stores";

/** The engine keeps no more. */
const KEPT_MAX = 64;

export function useReportVisible(stores: Stores): void {
  const page = useStore(stores.navigation.place, memberOf);
  const expanded = useStore(stores.roster.expanded, (all) => all);
  const isKnown = useRef(false);

  useEffect(() => {
    const members = inView(page, expanded);
    // As long as nothing was in view, there is nothing to take back.
    if (members.length === 0 && !isKnown.current) return;
    isKnown.current = true;
    // It is a hint: where it does not arrive, members start in their own order.
    stores.hall.ask("look_at", { members }).catch(() => undefined);
  }, [stores, page, expanded]);
}

/** The page first, then what was expanded, the last first. */
export function inView(page: MemberName | null, expanded: ReadonlySet<MemberName>): MemberName[] {
  const others = [...expanded].reverse().filter((member) => member !== page);
  return [...(page === null ? [] : [page]), ...others].slice(0, KEPT_MAX);
}
