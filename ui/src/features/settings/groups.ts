/** The list beside the settings. */
import type { SignName } from "../../components/signs";
import type { SectionName } from "../../lib/navigation/places";

/** Sections of the settings that are shown together on one page. */
interface Group {
  readonly name: SectionName;
  readonly title: string;
  readonly icon: SignName;
  readonly sections: readonly SectionName[];
}

/** A separate page in the list. */
interface Page {
  readonly page: "secrets" | "doctor";
  readonly title: string;
  readonly icon: SignName;
}

const GENERAL: Group = { name: "general", title: "General", icon: "sliders", sections: ["general", "window"] };

/** The entries in the order of the list. */
export const ENTRIES: readonly (Group | Page)[] = [
  GENERAL,
  { name: "appearance", title: "Appearance", icon: "palette", sections: ["appearance"] },
  { name: "keys", title: "Shortcuts", icon: "keyboard", sections: ["keys"] },
  { name: "notifications", title: "Notifications", icon: "bell", sections: ["notifications"] },
  { name: "gateway", title: "Gateway", icon: "plug", sections: ["gateway"] },
  { page: "secrets", title: "Secrets", icon: "key" },
  { name: "privacy", title: "History and data", icon: "database", sections: ["privacy"] },
  { name: "updates", title: "Updates", icon: "download", sections: ["updates"] },
  { name: "limits", title: "Advanced", icon: "wrench", sections: ["limits", "network", "file"] },
  { page: "doctor", title: "System check", icon: "stethoscope" },
];

export const GROUPS = ENTRIES.filter((entry) => "sections" in entry);

/** The group that contains a section. */
export function groupOf(section: SectionName): Group {
  return GROUPS.find(({ sections }) => sections.includes(section)) ?? GENERAL;
}
