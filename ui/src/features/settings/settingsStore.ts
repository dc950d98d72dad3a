/**
 * The user's settings, as reported by the engine. The theme and the zoom have separate stores, because a change of them
 * applies at once. A change in those stores is written to the settings file, and a change of the file is applied to the
 * stores.
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

/**
 * The storage key of the flag that is set once the values that earlier versions stored in the window are in the
 * settings file.
 */
const TAKEN_OVER = "settings";

export class SettingsStore {
  /** The last received settings; `null` before the first response. */
  readonly known = new Store<SettingsState | null>(null);
  /** The error of the last read. */
  readonly trouble = new Store<Report | null>(null);
  readonly #hall: Hall;
  readonly #zoom: Zoom;
  /** Incremented to discard the responses of pending requests. */
  #turn = 0;
  /**
   * Whether the settings were received together with the window's initial state, so that the first event batch
   * needs no read.
   */
  #isFresh = false;
  /** Theme and zoom values that are applied in the window but not written to the file yet, by settings key. */
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

  /** The user's own keyboard shortcuts, by action id. */
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

  /** Writes all of the changes or none. Returns the error if the request failed. */
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

  /**
   * Runs once: moves the values stored in the window to the settings file, unless the file has values other than
   * the defaults.
   */
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

  /** Schedules the write of a value that is already applied in the window. */
  #draws(key: "appearance.theme" | "appearance.zoom", value: Theme | number): void {
    const appearance = this.known.get()?.settings.appearance;
    if (!appearance) return;
    const known = key === "appearance.theme" ? appearance.theme : appearance.zoom;
    if (known === value && !this.#drawn.has(key)) return;
    this.#drawn.set(key, value);
    void this.#write();
  }

  /**
   * Writes the pending values. Only one write runs at a time, so that the last of several quick changes is the one
   * in the file.
   */
  async #write(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    while (this.#drawn.size > 0) {
      const drawn = [...this.#drawn];
      const report = await this.change(drawn.map(([key, value]) => ({ key, value })));
      // If the value could not be written, it stays applied until the window closes.
      if (report) this.#hall.tell(report);
      for (const [key, value] of drawn) if (this.#drawn.get(key) === value) this.#drawn.delete(key);
    }
    this.#writing = false;
  }
}

export const [SettingsStoreContext, useSettingsStore] = storeContext<SettingsStore>("useSettingsStore");
