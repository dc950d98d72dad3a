/** The items of a member's menu, on its page and in the roster. */
import type { MemberView } from "../../../ipc/bindings";
import { asRefusal, type Openable } from "../../../ipc/bridge";
import { copyText } from "../../../lib/copy";
import type { MenuItem } from "../../../components/Menu";
import type { Desktop } from "../../../lib/desktop";
import type { Hall } from "../../../lib/hall/hall";
import type { Navigation } from "../../../lib/navigation/navigation";
import type { Spoken } from "../../../lib/spoken";
import { whyNot } from "../verbs";
import type { Managing } from "./managing";

/** The stores that the items of a member's menu use. */
export interface MemberMenuStores {
  readonly desktop: Desktop;
  readonly hall: Hall;
  readonly managing: Managing;
  readonly navigation: Navigation;
  readonly spoken: Spoken;
}

export function memberMenuItems({ desktop, hall, managing, navigation, spoken }: MemberMenuStores, member: MemberView): MenuItem[] {
  const { name, status } = member;
  const opens = (kind: Extract<Openable, { member: string }>["kind"]) => () => {
    desktop.open?.({ kind, member: name }).catch((reason: unknown) => hall.tell(asRefusal(reason).report));
  };
  const noPrograms = desktop.open === undefined ? "Not available in a browser" : undefined;
  return [
    { label: "Refresh tools", icon: "refresh", unavailable: whyNot("refresh", member, hall.pending.get()), onSelect: () => void hall.tend("refresh_member", name) },
    { label: "Open folder", icon: "folder", unavailable: noPrograms, onSelect: opens("folder") },
    { label: "Open in terminal", icon: "terminal", unavailable: noPrograms, onSelect: opens("terminal") },
    { label: "Edit plugin.json", icon: "pencil", testId: "edit-member", onSelect: () => navigation.openConfiguration(name) },
    { label: "Open in editor", icon: "external", unavailable: noPrograms, onSelect: opens("manifest") },
    { label: "Open log file", icon: "file", unavailable: noPrograms, onSelect: opens("log") },
    {
      label: "Copy as client config",
      icon: "copy",
      unavailable: member.tools === 0 ? "Available when its tools are listed" : undefined,
      onSelect: () => void copyClientConfig({ hall, spoken }, member),
    },
    "line",
    { label: "Duplicate…", onSelect: () => managing.open("duplicate", name) },
    { label: "Rename…", testId: "rename-member", onSelect: () => managing.open("rename", name) },
    { label: status === "disabled" ? "Enable" : "Disable", testId: "toggle-member", onSelect: () => void managing.toggle(member) },
    "line",
    { label: "Remove…", icon: "trash", danger: true, testId: "remove-member", onSelect: () => managing.open("remove", name) },
  ];
}

/** Copies the member's entry for another program's config file. The entry is the same for each tool of the member. */
async function copyClientConfig({ hall, spoken }: { readonly hall: Hall; readonly spoken: Spoken }, { name }: MemberView): Promise<void> {
  try {
    const [tool] = (await hall.ask("member_tools", { member: name })).tools;
    if (!tool) return;
    const { text } = await hall.ask("copy_as", { member: name, tool: tool.name, arguments: "{}", form: "client-config" });
    spoken.set((await copyText(text)) ? "Client config: copied" : "Client config: not copied");
  } catch (reason) {
    hall.tell(asRefusal(reason).report);
  }
}
