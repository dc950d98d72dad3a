/** Menu items that start, stop and restart a member's process. */
import type { MemberView } from "../../ipc/bindings";
import type { MenuAction, MenuItem } from "../../components/Menu";
import type { SignName } from "../../components/signs";
import type { Hall } from "../../lib/hall/hall";
import { stopWord } from "../../lib/words/doing";
import { isRunning } from "../../components/status";
import { whyNot, type MemberVerb } from "./verbs";

function verbAction(hall: Hall, view: MemberView, verb: MemberVerb, label: string, icon: SignName): MenuAction {
  return { label, icon, unavailable: whyNot(verb, view, hall.pending.get()), onSelect: () => void hall.tend(`${verb}_member`, view.name) };
}

/** The items for a member: Start or Stop, depending on its status, and Restart. */
export function runItems(hall: Hall, view: MemberView): readonly MenuItem[] {
  return [
    isRunning(view.status) ? verbAction(hall, view, "stop", stopWord(view), "stop") : verbAction(hall, view, "start", "Start", "play"),
    verbAction(hall, view, "restart", "Restart", "retry"),
  ];
}
