/** The entries of the list beside the settings. */
import type { SignName } from "../../components/signs";
import type { SectionName, Place } from "../../lib/navigation/places";

/** Sections of the settings that are shown together on one page. */
interface Group {
  readonly name: SectionName;
  readonly title: string;
  readonly icon: SignName;
  readonly sections: readonly SectionName[];
}

const GENERAL: Group = { name: "general", title: "General", icon: "sliders", sections: ["general", "window", "shortcut"] };

export const GROUPS: readonly Group[] = [
  GENERAL,
  { name: "appearance", title: "Appearance", icon: "palette", sections: ["appearance"] },
  { name: "keys", title: "Shortcuts", icon: "keyboard", sections: ["keys"] },
  { name: "notifications", title: "Notifications", icon: "bell", sections: ["notifications"] },
  { name: "gateway", title: "Gateway", icon: "plug", sections: ["gateway"] },
  { name: "privacy", title: "History and data", icon: "database", sections: ["privacy"] },
  { name: "updates", title: "Updates", icon: "download", sections: ["updates"] },
  { name: "limits", title: "Advanced", icon: "wrench", sections: ["limits", "network", "file"] },
];

/** Separate pages that are listed below the groups. */
export const PAGES = [
  { kind: "secrets", title: "Secrets", icon: "key" },
  { kind: "discovery", title: "Tool detection", icon: "search" },
  { kind: "doctor", title: "System check", icon: "stethoscope" },
] as const satisfies readonly { kind: Place["kind"]; title: string; icon: SignName }[];

/** The group that contains a section. */
export function groupOf(section: SectionName): Group {
  return GROUPS.find(({ sections }) => sections.includes(section)) ?? GENERAL;
}
