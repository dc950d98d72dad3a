import { useDeferredValue, useMemo } from "react";

import type { MemberName } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { useOfferStore } from "../member/offers/offerStore";
import { listedIn, nameOf, offerKey, offerOf, ownName, type Listed } from "../member/offers/offer";
import { offerFace } from "../member/offers/faces";
import { number } from "../../lib/format";
import { matchingEntries, NOTHING_FOUND, type Found } from "./entry";

interface KnownOffer {
  member: MemberName;
  listed: Listed;
}

/**
 * Searches the resources, templates, prompts and skills of members whose lists are already loaded. Sends no requests to
 * members.
 */
export function useKnownOffers(query: string, active: boolean): Found {
  const offers = useOfferStore();
  const hall = useHall();
  const navigation = useNavigation();
  const lists = useDeferredValue(useStore(offers.lists, (all) => all));
  const byName = useStore(hall.state, (state) => state.byName);
  const known = useMemo(
    () =>
      [...lists].flatMap(([member, { offers }]): KnownOffer[] =>
        offers && byName.has(member) ? [...listedIn(offers, "resources"), ...listedIn(offers, "prompts"), ...listedIn(offers, "skills")].map((listed) => ({ member, listed })) : [],
      ),
    [byName, lists],
  );
  const entries = useMemo(() => {
    if (!active) return [];
    const fieldsOf = ({ member, listed }: KnownOffer) => [
      { text: nameOf(listed), weight: 1 },
      { text: ownName(offerOf(listed)), weight: 0.7 },
      { text: member, weight: 0.5 },
    ];
    return matchingEntries(query, known, fieldsOf, ({ member, listed }, match) => {
      const offer = offerOf(listed);
      const name = nameOf(listed);
      const { shape, word } = offerFace(listed.kind);
      return {
        key: `offer ${offerKey(member, offer)}`,
        icon: shape,
        label: name,
        detail: name === ownName(offer) ? member : `${member} · ${ownName(offer)}`,
        end: () => <span className="text-sm text-dim">{word}</span>,
        choose: () => navigation.openOffer(member, offer),
        ...match,
      };
    });
  }, [active, navigation, known, query]);
  if (!active) return NOTHING_FOUND;
  return {
    sections: [{ title: `Resources and prompts (${number(entries.length)})`, entries }],
    waiting: false,
    nothing: "No matching resources or prompts",
  };
}
