/** What can be done about resources and prompts, for the palette. */
import type { Action } from "../../../app/actions";
import { memberOf, type House } from "../../../app/house";
import type { OfferTab } from "./offer";

const TABS: readonly OfferTab[] = ["resources", "prompts"];

export function offerActions(house: House): Action[] {
  const member = memberOf(house.place.get());
  return TABS.map((tab) => ({
    id: tab,
    group: "Member",
    title: member === null ? `Show the member's ${tab}` : `Show the ${tab} of ${member}`,
    unavailable: member === null ? "No member is open" : undefined,
    run: () => member !== null && house.openOffers(member, tab),
  }));
}
