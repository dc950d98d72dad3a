/** The context menu of a row, with the actions of its member or tool. */
import type { MemberName, MemberView } from "../../ipc/bindings";
import { memberMenuItems, type MemberMenuStores } from "../member/edit/memberMenuItems";
import { runItems } from "../member/memberItems";
import { copyText } from "../../lib/copy";
import type { MenuItem } from "../../components/Menu";
import type { Row } from "./rows";

export function menuItems(stores: MemberMenuStores, row: Row, byName: ReadonlyMap<MemberName, MemberView>): readonly MenuItem[] {
  const { hall, navigation } = stores;
  if (row.kind === "tool") {
    const { member, name } = row.tool;
    return [
      { label: "Open", icon: "forward", onSelect: () => navigation.openTool(member, name) },
      { label: "Fill in", icon: "play", onSelect: () => navigation.fillTool(member, name) },
      { label: "Copy name", icon: "copy", onSelect: () => void copyText(name) },
    ];
  }
  const view = row.kind === "member" ? row.view : byName.get(row.member);
  if (view === undefined) return [];
  const { name } = view;
  return [
    { label: "Open", icon: "forward", onSelect: () => navigation.openMember(name) },
    { label: "Open log", icon: "terminal", onSelect: () => navigation.openMember(name, true) },
    "line",
    ...runItems(hall, view),
    "line",
    ...memberMenuItems(stores, view),
  ];
}
