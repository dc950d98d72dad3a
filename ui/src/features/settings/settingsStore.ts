/**
 * The user's settings, as reported by the hall. The window has separate stores for theme and zoom, which
 * apply at once: choices made here are written to the file, and changes of the file are applied here.
 */
import { keptTheme, type Theme } from "../../lib/theme/themes";
import { NO_OWN_KEYS, type OwnKeys } from "../../lib/keys/actionKeys";
import { keep, keptZoom, NORMAL_ZOOM, readKept } from "../../lib/kept";
import { setTheme, theme } from "../../lib/theme/theme";
import type { Zoom } from "../../lib/zoom";
import type { HallEvent, Report, SettingChange, Settings, SettingsState } from "../../ipc/bindings";
import { asRefusal, type Bridge } from "../../ipc/bridge";
import { errorOf } from "../../lib/errorOf";
import type { Hall } from "../../lib/hall/hall";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";

/** Marks that the values stored by the window before the settings file existed were moved to it. */
const TAKEN_OVER = "settings";

export class SettingsStore {
  /** The last received settings; `null` until then. */
  readonly known = new Store<SettingsState | null>(null);
  /** Why they could not be read. */
  readonly trouble = new Store<Report | null>(null);
  readonly #hall: Hall;
  readonly #zoom: Zoom;
  /** Incremented to discard pending answers. */
  #turn = 0;
  /** Whether the first roster is of the same moment. */
  #isFresh = false;
  /** What is drawn and not written yet, by its key. */
  readonly #drawn = new Map<string, string | number>();
  #writing = false;

  constructor(hall: Hall, zoom: Zoom, opening: Bridge["opening"]) {
    this.#hall = hall;
    this.#zoom = zoom;
    if (opening) {
      this.#know(opening.settings);
      this.#isFresh = true;
    }
    theme.subscribe(() => this.#draws("appearance.theme", theme.get()));
    zoom.percent.subscribe(() => this.#draws("appearance.zoom", zoom.percent.get()));
    hall.onEvents((events, missed) => this.#take(events, missed));
  }

  /** The keys that a person gave actions. */
  readonly ownKeys = (): OwnKeys => this.known.get()?.settings.keys ?? NO_OWN_KEYS;

  async read(): Promise<void> {
    this.#turn += 1;
    const mine = this.#turn;
    try {
      const known = await this.#hall.ask("settings", {});
      if (mine === this.#turn) this.#know(known);
    } catch (reason) {
      if (mine === this.#turn) this.trouble.set(asRefusal(reason).report);
    }
  }

  /** Changes settings, all of them or none; why they were not, where they were not. */
  change(changes: readonly SettingChange[]): Promise<Report | null> {
    return errorOf(async () => {
      const known = await this.#hall.ask("change_settings", { changes: [...changes] });
      this.#turn += 1;
      this.#know(known);
    });
  }

  #take(events: readonly HallEvent[], missed: boolean): void {
    const changed = events.findLast((event) => event.kind === "settings_changed");
    const known = this.known.get();
    if (changed && known) {
      this.#turn += 1;
      const { settings, problems } = changed;
      this.#know({ ...known, settings, problems });
    } else if (changed || (missed && !this.#isFresh)) void this.read();
    this.#isFresh = false;
  }

  #know(known: SettingsState): void {
    this.known.set(known);
    this.trouble.set(null);
    if (this.#takeOver(known.settings)) return;
    const { theme: choice, zoom } = known.settings.appearance;
    if (!this.#drawn.has("appearance.theme") && theme.get() !== choice) setTheme(choice);
    if (!this.#drawn.has("appearance.zoom")) this.#zoom.set(zoom);
  }

  /** Runs once: moves the values stored by the window to the settings file, if that has only default values. */
  #takeOver({ appearance }: Settings): boolean {
    if (readKept(TAKEN_OVER, (value) => (value === true ? true : undefined), false)) return false;
    keep(TAKEN_OVER, true);
    const isUntouched = appearance.theme === "system" && appearance.zoom === NORMAL_ZOOM;
    const kept = { theme: keptTheme(), zoom: keptZoom() };
    if (!isUntouched || (kept.theme === "system" && kept.zoom === NORMAL_ZOOM)) return false;
    this.#draws("appearance.theme", kept.theme);
    this.#draws("appearance.zoom", kept.zoom);
    return true;
  }

  /** Has something written that is drawn already. */
  #draws(key: "appearance.theme" | "appearance.zoom", value: Theme | number): void {
    const appearance = this.known.get()?.settings.appearance;
    if (!appearance) return;
    const known = key === "appearance.theme" ? appearance.theme : appearance.zoom;
    if (known === value && !this.#drawn.has(key)) return;
    this.#drawn.set(key, value);
    void this.#write();
  }

  /** Writes changes one after the other, so that the last of many quick changes is written. */
  async #write(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    while (this.#drawn.size > 0) {
      const drawn = [...this.#drawn];
      const report = await this.change(drawn.map(([key, value]) => ({ key, value })));
      // It stays drawn as long as the window is open.
      if (report) this.#hall.tell(report);
      for (const [key, value] of drawn) if (this.#drawn.get(key) === value) this.#drawn.delete(key);
    }
    this.#writing = false;
  }
}

export const [SettingsStoreContext, useSettingsStore] = storeContext<SettingsStore>("useSettingsStore");
