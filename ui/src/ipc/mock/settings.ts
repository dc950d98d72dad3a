/** Mocks `settings.json`: the values of the settings, and problems that tests set. */
import type { HallEvent, ImportChange, Report, Settings, SettingsProblem, SettingsState } from "../bindings";
import type { Answers } from "../answers";
import { DEFAULTS } from "../../lib/settingsSchema";
import { Refusal } from "../bridge";
import { refusal } from "./refusal";

const SETTINGS_FILE = "/home/me/.local/share/guild-hall/settings.json";

export class MockSettings {
  settings: Settings = DEFAULTS;
  problems: SettingsProblem[] = [];
  /** The changes that an import of settings would make. */
  changes: ImportChange[] = [];
  /** The failure of every change; `null` if changes succeed. */
  refusing: Report | null = null;
  readonly #tell: (event: HallEvent) => void;

  constructor(tell: (event: HallEvent) => void) {
    this.#tell = tell;
  }

  readonly handlers: Answers = {
    settings: () => Promise.resolve(this.state()),
    change_settings: ({ changes }) => {
      if (this.refusing) return Promise.reject(new Refusal(this.refusing));
      const broken = this.problems.find((problem) => problem.effect === "unread");
      if (broken) return Promise.reject(new Refusal(broken.report));
      this.write(changes.reduce((settings, { key, value }) => changed(settings, key, value), this.settings));
      return Promise.resolve(this.state());
    },
    export_settings: ({ path }) => (this.refusing ? Promise.reject(new Refusal(this.refusing)) : Promise.resolve({ path })),
    preview_settings_import: ({ path }) =>
      this.refusing ? Promise.reject(new Refusal(this.refusing)) : Promise.resolve({ path, hash: "shown", changes: this.changes, problems: [] }),
    import_settings: ({ path, hash }) => {
      if (this.refusing) return Promise.reject(new Refusal(this.refusing));
      const { changes } = this;
      this.changes = [];
      return Promise.resolve({ path, hash, changes, problems: [] });
    },
  };

  state(): SettingsState {
    const { settings, problems } = this;
    return { file: SETTINGS_FILE, settings, defaults: DEFAULTS, problems };
  }

  /** Sets the settings and problems, and sends the event, as after an edit of the file. */
  write(settings: Settings, problems: SettingsProblem[] = []): void {
    this.settings = settings;
    this.problems = problems;
    this.#tell({ kind: "settings_changed", settings, problems });
  }
}

function changed(settings: Settings, key: string, value: unknown): Settings {
  const [section = "", ...rest] = key.split(".");
  const inner = rest.join(".");
  const whole: Record<string, unknown> = { ...settings };
  if (!(section in whole)) {
    throw refusal("setting-unknown", `The setting "${key}" doesn't exist.`);
  }
  if (inner === "") {
    whole[section] = value ?? DEFAULTS[section as keyof Settings];
  } else {
    const part = { ...(whole[section] as Record<string, unknown>) };
    const usual = (DEFAULTS[section as keyof Settings] as Record<string, unknown>)[inner];
    if (value === null && usual === undefined) Reflect.deleteProperty(part, inner);
    else part[inner] = value ?? usual;
    whole[section] = part;
  }
  return whole as unknown as Settings;
}
