/** The declarations of all settings, in the order in which the page shows them. */
import type { Settings } from "../../ipc/bindings";
import { DECLARED, type DeclaredSetting } from "../../lib/settingsSchema";
import type { SectionName } from "../../lib/navigation/places";

export interface Field extends DeclaredSetting {
  /** The name of the setting in the file, such as `window.tray`. */
  readonly key: string;
  readonly section: SectionName;
}

/** The settings of the section General in their order. Some are declared in other sections. */
const GENERAL: readonly string[] = ["window.onClose", "membersDir", "shortcut.palette", "registry"];

const ALL = DECLARED.flatMap(([section, declared]): Field[] => {
  if (section === "keys") return [];
  if (!declared.properties) return [{ ...declared, key: section, section: "general" }];
  return Object.entries(declared.properties).map(([key, inner]) => ({ ...inner, key: `${section}.${key}`, section }));
});

export const FIELDS: readonly Field[] = [
  ...GENERAL.flatMap((wanted) => ALL.filter(({ key }) => key === wanted)).map((field): Field => ({ ...field, section: "general" })),
  ...ALL.filter(({ key }) => !GENERAL.includes(key)),
];

const ofSchema = DECLARED.filter(([name]) => name === "keys" || FIELDS.some(({ section }) => section === name)).map(([name, { title }]) => [name, title] as const);

/** The titles of the page's sections, in the order in which they are shown. */
export const SECTIONS: ReadonlyMap<SectionName, string> = new Map<SectionName, string>([
  ["general", "General"],
  ...ofSchema,
  ["privacy", "History and data"],
  ["file", "settings.json"],
]);

/** The value of a setting, which is never an object or a list. */
export type SettingValue = string | number | boolean | null;

/** The value of a setting; `null` if it is not set. */
export function valueOf(settings: Settings, key: string): SettingValue {
  let here: unknown = settings;
  for (const name of key.split(".")) {
    here = typeof here === "object" && here !== null ? (here as Record<string, unknown>)[name] : undefined;
  }
  return typeof here === "string" || typeof here === "number" || typeof here === "boolean" ? here : null;
}

/** The options of an `enum` setting: the stored value and the label of each. */
export function choicesOf({ enum: words, enumDescriptions: texts }: Field): ReadonlyArray<readonly [string, string]> {
  return (words ?? []).map((word, index) => [word, texts?.[index] ?? word]);
}

/** The ranges of numbers that are valid for a setting. */
export function rangesOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER, not }: Field): ReadonlyArray<readonly [number, number]> {
  if (!not) return [[minimum, maximum]];
  return [
    [minimum, not.minimum - 1],
    [not.maximum + 1, maximum],
  ];
}
