import type { MemberName } from "../../../ipc/bindings";
import type { Navigation } from "../../../lib/navigation/navigation";
import type { Offer } from "../../../lib/navigation/places";
import type { OfferStore } from "./offerStore";

interface Stores {
  readonly navigation: Navigation;
  readonly offers: OfferStore;
}

/** Opens a linked resource of a member, and reads it. */
export function readResource({ navigation, offers }: Stores, member: MemberName, uri: string): void {
  const resource: Offer = { kind: "resource", uri };
  navigation.openOffer(member, resource);
  void offers.ask(member, resource, { kind: "resource", uri });
}
