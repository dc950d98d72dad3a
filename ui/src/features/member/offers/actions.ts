/** The command palette's actions that open a member's resources and prompts. */
import type { Action } from "../../../lib/actions";
import type { Navigation } from "../../../lib/navigation/navigation";
import { type OfferTab, memberOf } from "../../../lib/navigation/places";

const TABS: readonly OfferTab[] = ["resources", "prompts"];

export function offerActions({ navigation }: { readonly navigation: Navigation }): Action[] {
  const member = memberOf(navigation.place.get());
  return TABS.map((tab) => ({
    id: tab,
    group: "Member",
    title: member === null ? `Show the member's ${tab}` : `Show the ${tab} of ${member}`,
    unavailable: member === null ? "No member is open" : undefined,
    run: () => member !== null && navigation.openOffers(member, tab),
  }));
}
