import { useEffect } from "react";

import type { MemberView, ServerInfo } from "../../../ipc/bindings";
import type { OfferTab } from "../../../lib/navigation/places";
import { useStore } from "../../../lib/store";
import { type OfferLists, useOfferStore } from "./offerStore";

/** Whether the server declares the capability `resources` or `prompts`; `null` while the capabilities are unknown. */
export function hasCapability(server: ServerInfo | null, tab: OfferTab): boolean | null {
  if (!server) return null;
  const { capabilities } = server;
  return typeof capabilities === "object" && capabilities !== null && tab in capabilities;
}

/** A member's lists of offers. They are read once per run if the server has resources or prompts. */
export function useOffers(view: MemberView, server: ServerInfo | null): OfferLists {
  const offers = useOfferStore();
  const { name, status, sinceMs } = view;
  const any = hasCapability(server, "resources") === true || hasCapability(server, "prompts") === true;
  useEffect(() => {
    if (status === "ready" && any) offers.ensure(name, sinceMs);
  }, [any, name, offers, sinceMs, status]);
  return useStore(offers.lists, () => offers.list(name));
}
