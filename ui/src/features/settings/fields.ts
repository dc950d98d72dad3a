/** The settings as the hall declares them, in the order in which the page shows them. */
import text from "../../../../docs/settings.schema.json?raw";
import type { Settings } from "../../ipc/bindings";

/** The part of a setting's schema that the page needs. */
interface Declared {
  readonly title: string;
  readonly description: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly "x-unit"?: "ms" | "%";
  /** The meaning of `null`. */
  readonly "x-none"?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** A range that is not allowed. */
  readonly not?: { readonly minimum: number; readonly maximum: number };
  readonly properties?: Readonly<Record<string, Declared>>;
}

const SCHEMA = (JSON.parse(text) as { properties: Record<string, Declared> }).properties;

export type SectionName = "general" | keyof Settings | "privacy" | "file";

export interface Field extends Declared {
  /** Its name in the file. */
  readonly key: string;
  readonly section: SectionName;
}

const DECLARED = Object.entries(SCHEMA) as ReadonlyArray<[keyof Settings, Declared]>;

export const FIELDS: readonly Field[] = DECLARED.flatMap(([section, declared]): Field[] => {
  if (section === "keys") return [];
  if (!declared.properties) return [{ ...declared, key: section, section: "general" }];
  return Object.entries(declared.properties).map(([key, inner]) => ({ ...inner, key: `${section}.${key}`, section }));
});

const ofSchema = DECLARED.filter(([name, { properties }]) => properties ?? name === "keys").map(([name, { title }]) => [name, title] as const);

/** The titles of the page's sections, in their order. */
export const SECTIONS: ReadonlyMap<SectionName, string> = new Map<SectionName, string>([
  ["general", "General"],
  ...ofSchema,
  ["privacy", "History and data"],
  ["file", "settings.json"],
]);

/** All settings at their defaults. */
export const DEFAULTS = Object.fromEntries(DECLARED.map(([key, declared]) => [key, declared.default ?? null])) as unknown as Settings;

/** Settings have plain values only. */
export type SettingValue = string | number | boolean | null;

/** The value of a setting. */
export function valueOf(settings: Settings, key: string): SettingValue {
  let here: unknown = settings;
  for (const name of key.split(".")) {
    here = typeof here === "object" && here !== null ? (here as Record<string, unknown>)[name] : undefined;
  }
  return typeof here === "string" || typeof here === "number" || typeof here === "boolean" ? here : null;
}

/** The texts of the values of a choice, by their words. */
export function choicesOf({ enum: words, enumDescriptions: texts }: Field): ReadonlyArray<readonly [string, string]> {
  return (words ?? []).map((word, index) => [word, texts?.[index] ?? word]);
}

/** The ranges of numbers that a setting can have. */
export function rangesOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER, not }: Field): ReadonlyArray<readonly [number, number]> {
  if (!not) return [[minimum, maximum]];
  return [
    [minimum, not.minimum - 1],
    [not.maximum + 1, maximum],
  ];
}
