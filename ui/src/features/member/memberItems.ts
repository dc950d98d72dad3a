/** The actions on a member's process. */
import { whyNot, type MemberVerb } from "../../app/actions";
import type { House } from "../../app/house";
import type { MemberView } from "../../ipc/bindings";
import type { MenuAction, MenuItem } from "../../components/Menu";
import type { SignName } from "../../components/signs";
import { stopWord } from "../../lib/words/doing";
import { isRunning } from "../../components/status";

function verbAction(house: House, view: MemberView, verb: MemberVerb, label: string, icon: SignName): MenuAction {
  return { label, icon, unavailable: whyNot(verb, view, house.hall.pending.get()), onSelect: () => void house.hall.tend(`${verb}_member`, view.name) };
}

/** Starts, stops and restarts the member. */
export function runItems(house: House, view: MemberView): readonly MenuItem[] {
  return [
    isRunning(view.status) ? verbAction(house, view, "stop", stopWord(view), "stop") : verbAction(house, view, "start", "Start", "play"),
    verbAction(house, view, "restart", "Restart", "retry"),
  ];
}
