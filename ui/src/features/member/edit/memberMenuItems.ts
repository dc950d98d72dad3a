/** The actions on a member in its menus: on its page and in the roster. */
import { whyNot } from "../../../app/actions";
import type { House } from "../../../app/house";
import type { MemberView } from "../../../ipc/bindings";
import { asRefusal, type Openable } from "../../../ipc/bridge";
import { copyText } from "../../../lib/copy";
import type { MenuItem } from "../../../components/Menu";

export function memberMenuItems(house: House, member: MemberView): MenuItem[] {
  const { hall, managing } = house;
  const { name, status } = member;
  const opens = (kind: Extract<Openable, { member: string }>["kind"]) => () => {
    house.open?.({ kind, member: name }).catch((reason: unknown) => hall.tell(asRefusal(reason).report));
  };
  const noPrograms = house.open === undefined ? "Not available in a browser" : undefined;
  return [
    { label: "Refresh tools", icon: "refresh", unavailable: whyNot("refresh", member, hall.pending.get()), onSelect: () => void hall.tend("refresh_member", name) },
    { label: "Open folder", icon: "folder", unavailable: noPrograms, onSelect: opens("folder") },
    { label: "Open in terminal", icon: "terminal", unavailable: noPrograms, onSelect: opens("terminal") },
    { label: "Edit plugin.json", icon: "pencil", testId: "edit-member", onSelect: () => house.openConfiguration(name) },
    { label: "Open in editor", icon: "external", unavailable: noPrograms, onSelect: opens("manifest") },
    { label: "Open log file", icon: "file", unavailable: noPrograms, onSelect: opens("log") },
    {
      label: "Copy as client config",
      icon: "copy",
      unavailable: member.tools === 0 ? "Available when its tools are listed" : undefined,
      onSelect: () => void copyClientConfig(house, member),
    },
    "line",
    { label: "Duplicate…", onSelect: () => managing.open("duplicate", name) },
    { label: "Rename…", testId: "rename-member", onSelect: () => managing.open("rename", name) },
    { label: status === "disabled" ? "Enable" : "Disable", testId: "toggle-member", onSelect: () => void managing.toggle(member) },
    "line",
    { label: "Remove…", icon: "trash", danger: true, testId: "remove-member", onSelect: () => managing.open("remove", name) },
  ];
}

/** Copies the entry for another program's configuration, which is the same for each of the member's tools. */
async function copyClientConfig({ hall, spoken }: House, { name }: MemberView): Promise<void> {
  try {
    const [tool] = (await hall.ask("member_tools", { member: name })).tools;
    if (!tool) return;
    const { text } = await hall.ask("copy_as", { member: name, tool: tool.name, arguments: "{}", form: "client-config" });
    spoken.set((await copyText(text)) ? "Client config: copied" : "Client config: not copied");
  } catch (reason) {
    hall.tell(asRefusal(reason).report);
  }
}
