/** What can be done about resources and prompts, for the palette. */
import type { Action } from "../../app/actions";
import { memberOf, type House } from "../../app/house";
import { words } from "../../words/actions";
import type { OfferTab } from "./offer";

const TABS: readonly OfferTab[] = ["resources", "prompts"];

export function offerActions(house: House): Action[] {
  const member = memberOf(house.place.get());
  return TABS.map((tab) => ({
    id: tab,
    group: "Member",
    title: words[tab](member),
    unavailable: member === null ? "No member is open" : undefined,
    run: () => member !== null && house.openOffers(member, tab),
  }));
}
