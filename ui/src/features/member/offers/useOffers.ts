import { useEffect } from "react";

import type { MemberView, ServerInfo } from "../../../ipc/bindings";
import type { OfferTab } from "../../../lib/navigation/places";
import { useStore } from "../../../lib/store";
import { type OfferLists, useOfferStore } from "./offerStore";

/** Whether the server says that it has such things; `null` while it has said nothing. */
export function hasCapability(server: ServerInfo | null, tab: OfferTab): boolean | null {
  if (!server) return null;
  const { capabilities } = server;
  return typeof capabilities === "object" && capabilities !== null && tab in capabilities;
}

/** A member's lists. Reads them once in each run of a member that offers any. */
export function useOffers(view: MemberView, server: ServerInfo | null): OfferLists {
  const offers = useOfferStore();
  const { name, status, sinceMs } = view;
  const any = hasCapability(server, "resources") === true || hasCapability(server, "prompts") === true;
  useEffect(() => {
    if (status === "ready" && any) offers.ensure(name, sinceMs);
  }, [any, name, offers, sinceMs, status]);
  return useStore(offers.lists, () => offers.list(name));
}
