/** Opens the page that the shell requests after a link, a notification, the tray icon or the global shortcut. */
import { useEffect } from "react";

import type { MemberName } from "../ipc/bindings";
import type { LinkedPage, LinkedPlace, Shown } from "../ipc/outside";
import { leadTo } from "../features/elicitation/lead";
import type { Stores } from "./stores";

export function useDesktopNavigation(stores: Stores): void {
  useEffect(() => stores.desktop.shows?.((shown) => show(stores, shown)), [stores]);
}

function show(stores: Stores, shown: Shown): void {
  if (shown.kind === "refused") stores.hall.tell(shown.report);
  else goTo(stores, shown.place);
}

function goTo(stores: Stores, place: LinkedPlace): void {
  // If the palette is requested and already open, it stays open and keeps its text.
  stores.layers.uncover(place.kind === "page" && place.page === "palette" ? "palette" : undefined);
  if (place.kind === "page") openPage(stores, place.page);
  else if (place.kind === "member") stores.navigation.openMember(place.member);
  else if (place.kind === "review") stores.navigation.openReview(place.member);
  else if (place.kind === "question") openQuestion(stores, place.member);
  else stores.navigation.openTool(place.member, place.tool);
}

/** Opens a member's oldest open question. If no question is open any more, opens the member's page. */
function openQuestion(stores: Stores, member: MemberName): void {
  const asked = [...stores.hall.state.get().elicitations.values()].find((one) => one.member === member);
  if (asked) leadTo(stores, asked);
  else stores.navigation.openMember(member);
}

function openPage(stores: Stores, page: LinkedPage): void {
  const open: Record<LinkedPage, () => void> = {
    adding: () => stores.navigation.openAdding(),
    agents: () => stores.navigation.openAgents(),
    approvals: () => stores.navigation.openAgents("approvals"),
    discovery: () => stores.navigation.openDiscovery(),
    // Any website can open a link, so the link opens the page without running the check.
    doctor: () => stores.navigation.openDoctor(),
    found: () => stores.navigation.openFound(),
    history: () => stores.navigation.openHistory(),
    palette: () => stores.palette.open(""),
    secrets: () => stores.navigation.openSecrets(),
    settings: () => stores.navigation.openSettings(),
  };
  open[page]();
}
