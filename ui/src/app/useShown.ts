/** Goes to where a link, a notification, the tray or a global shortcut leads. */
import { useEffect } from "react";

import type { MemberName } from "../ipc/bindings";
import type { LinkedPage, LinkedPlace, Shown } from "../ipc/outside";
import { leadTo } from "../features/elicitation/lead";
import type { House } from "./house";

export function useShown(house: House): void {
  useEffect(() => house.shows?.((shown) => show(house, shown)), [house]);
}

function show(house: House, shown: Shown): void {
  if (shown.kind === "refused") house.hall.tell(shown.report);
  else goTo(house, shown.place);
}

function goTo(house: House, place: LinkedPlace): void {
  // The palette that lies open keeps what was typed into it, and any lies over what is asked, as by its own keys.
  house.uncover(place.kind === "page" && place.page === "palette" ? "palette" : undefined);
  if (place.kind === "page") openPage(house, place.page);
  else if (place.kind === "member") house.openMember(place.member);
  else if (place.kind === "review") house.openReview(place.member);
  else if (place.kind === "question") openQuestion(house, place.member);
  else house.openTool(place.member, place.tool);
}

/** Opens a member's oldest question. An answered question is no longer listed, so the member's page opens. */
function openQuestion(house: House, member: MemberName): void {
  const asked = [...house.hall.state.get().elicitations.values()].find((one) => one.member === member);
  if (asked) leadTo(house, asked);
  else house.openMember(member);
}

function openPage(house: House, page: LinkedPage): void {
  const open: Record<LinkedPage, () => void> = {
    adding: () => house.openAdding(),
    agents: () => house.openAgents(),
    approvals: () => house.openAgents("approvals"),
    discovery: () => house.openDiscovery(),
    // Any website can open a link, so a link must not start anything.
    doctor: () => house.openDoctor(false),
    found: () => house.openFound(),
    history: () => house.openHistory(),
    palette: () => house.openPalette(""),
    secrets: () => house.openSecrets(),
    settings: () => house.openSettings(),
  };
  open[page]();
}
