/** The JSON Schema of the settings, which the engine generates: `docs/settings.schema.json`. */
import text from "../../../docs/settings.schema.json?raw";
import type { Settings } from "../ipc/bindings";

/** The schema keywords of a setting that the settings page uses. */
export interface DeclaredSetting {
  readonly title: string;
  readonly description: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly "x-unit"?: "ms" | "%";
  /** The label for the value `null`. */
  readonly "x-none"?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** A range of numbers that is not allowed. */
  readonly not?: { readonly minimum: number; readonly maximum: number };
  readonly properties?: Readonly<Record<string, DeclaredSetting>>;
}

const SCHEMA = (JSON.parse(text) as { properties: Record<string, DeclaredSetting> }).properties;

export const DECLARED = Object.entries(SCHEMA) as ReadonlyArray<[keyof Settings, DeclaredSetting]>;

/** All settings at their defaults. */
export const DEFAULTS = Object.fromEntries(DECLARED.map(([key, declared]) => [key, declared.default ?? null])) as unknown as Settings;
