/** The actions on a member that menus offer, on its page and in the roster. */
import { whyNot, type MemberVerb } from "../app/actions";
import type { House } from "../app/house";
import type { MemberView } from "../bridge/bindings";
import { asRefusal, type Openable } from "../bridge/bridge";
import type { MenuAction, MenuItem } from "../parts/Menu";
import type { SignName } from "../parts/signs";
import { stopWord } from "../words/doing";
import { isRunning } from "../words/status";

export function verbAction(house: House, view: MemberView, verb: MemberVerb, label: string, icon: SignName): MenuAction {
  return { label, icon, unavailable: whyNot(verb, view, house.hall.pending.get()), onSelect: () => void house.hall.tend(`${verb}_member`, view.name) };
}

/** Starts, stops and restarts the member, and reads its tools again. */
export function runItems(house: House, view: MemberView): readonly MenuItem[] {
  return [
    isRunning(view.status) ? verbAction(house, view, "stop", stopWord(view), "stop") : verbAction(house, view, "start", "Start", "play"),
    verbAction(house, view, "restart", "Restart", "retry"),
    verbAction(house, view, "refresh", "Refresh tools", "refresh"),
  ];
}

const OPENED: readonly [Exclude<Openable["kind"], "address" | "data-folder">, string, SignName][] = [
  ["folder", "Open folder", "folder"],
  ["terminal", "Open in terminal", "terminal"],
  ["manifest", "Edit plugin.json", "pencil"],
  ["log", "Open log file", "file"],
];

/** Opens the member's files with the programs of the system. */
export function fileItems(house: House, { name: member }: MemberView): readonly MenuItem[] {
  const { open, hall } = house;
  if (open === undefined) return [];
  const show = (what: Openable) => void open(what).catch((reason: unknown) => hall.tell(asRefusal(reason).report));
  return OPENED.map(([kind, label, icon]) => ({ label, icon, onSelect: () => show({ kind, member }) }));
}
