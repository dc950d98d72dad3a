import { useEffect } from "react";

import type { MemberView, ServerInfo } from "../../../ipc/bindings";
import type { OfferTab } from "../../../lib/navigation/places";
import { useStore } from "../../../lib/store";
import { type OfferLists, useOfferStore } from "./offerStore";

const SKILLS = "io.modelcontextprotocol/skills";

/**
 * Whether the server declares the capability `resources` or `prompts`, or the extension for skills; `null` while the
 * capabilities are unknown.
 */
export function hasCapability(server: ServerInfo | null, tab: OfferTab): boolean | null {
  if (!server) return null;
  const { capabilities } = server;
  if (tab === "skills") return has(capabilities, "extensions") && has(capabilities.extensions, SKILLS);
  return has(capabilities, tab);
}

function has<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === "object" && value !== null && key in value;
}

/** A member's lists of offers. They are read once per run if the server has resources, prompts or skills. */
export function useOffers(view: MemberView, server: ServerInfo | null): OfferLists {
  const offers = useOfferStore();
  const { name, status, sinceMs } = view;
  const any = hasCapability(server, "resources") === true || hasCapability(server, "prompts") === true || hasCapability(server, "skills") === true;
  useEffect(() => {
    if (status === "ready" && any) offers.ensure(name, sinceMs);
  }, [any, name, offers, sinceMs, status]);
  return useStore(offers.lists, () => offers.list(name));
}
