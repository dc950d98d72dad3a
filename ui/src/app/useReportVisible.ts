/** Reports to the engine which members are visible, so that it starts these members first. */
import { useEffect, useRef } from "react";

import type { MemberName } from "../ipc/bindings";
import { memberOf } from "../lib/navigation/places";
import { useStore } from "../lib/store";
import type { Stores } from "./stores";

/** The maximum number of members that the engine accepts. */
const KEPT_MAX = 64;

export function useReportVisible(stores: Stores): void {
  const page = useStore(stores.navigation.place, memberOf);
  const expanded = useStore(stores.roster.expanded, (all) => all);
  const isKnown = useRef(false);

  useEffect(() => {
    const members = inView(page, expanded);
    // An empty list is sent only to replace an earlier list.
    if (members.length === 0 && !isKnown.current) return;
    isKnown.current = true;
    // If the request fails, the members start in the default order.
    stores.hall.ask("report_visible_members", { members }).catch(() => undefined);
  }, [stores, page, expanded]);
}

/** The visible members by priority: the member of the page, then the expanded members, newest first. */
export function inView(page: MemberName | null, expanded: ReadonlySet<MemberName>): MemberName[] {
  const others = [...expanded].reverse().filter((member) => member !== page);
  return [...(page === null ? [] : [page]), ...others].slice(0, KEPT_MAX);
}
