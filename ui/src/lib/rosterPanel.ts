/** The state of the roster in the sidebar: its visibility, its filter by status, and the expanded members. */
import type { MemberName } from "../ipc/bindings";
import type { MemberState } from "./hall/state";
import type { Layers } from "./layers";
import { Store } from "./store";
import { storeContext } from "./storeContext";

/** The sidebar's width in pixels. */
export const ROSTER_PX = { least: 220, most: 400, usual: 264 };

/** Whether the window is below the `rail` breakpoint of theme.css, where the roster is a drawer. */
export function isNarrow(): boolean {
  return window.innerWidth < 900;
}

export class RosterPanel {
  readonly expanded = new Store<ReadonlySet<MemberName>>(new Set());
  /** Whether the user collapsed the sidebar to icons. It applies to windows that have room for the roster. */
  readonly hidden = new Store(false);
  /** The state to which the roster is filtered; `null` shows all members. */
  readonly shownState = new Store<MemberState | null>(null);
  readonly #layers: Layers;
  #focusSearch: () => void = () => undefined;

  constructor(layers: Layers) {
    this.#layers = layers;
  }

  setExpanded(member: MemberName, open: boolean): void {
    this.expanded.update((expanded) => {
      if (expanded.has(member) === open) return expanded;
      const next = new Set(expanded);
      if (open) next.add(member);
      else next.delete(member);
      return next;
    });
  }

  /** Registers the function that focuses the roster's search field. */
  registerSearch(focus: () => void): void {
    this.#focusSearch = focus;
  }

  /** Shows the roster if it is hidden, and focuses its search field. */
  searchTools(): void {
    this.hidden.set(false);
    if (isNarrow()) this.#layers.open("drawer");
    // The field can be focused only after it was rendered.
    requestAnimationFrame(() => this.#focusSearch());
  }

  /** Filters the roster to members of a state. If it is already filtered to that state, shows all members. */
  filter(state: MemberState): void {
    this.shownState.update((now) => (now === state ? null : state));
    if (this.shownState.get() !== null && (isNarrow() || this.hidden.get())) this.searchTools();
  }

  toggle(): void {
    if (!isNarrow()) this.hidden.update((hidden) => !hidden);
    else if (this.#layers.has("drawer")) this.#layers.close("drawer");
    else {
      this.#layers.uncover();
      this.searchTools();
    }
  }
}

export const [RosterPanelContext, useRosterPanel] = storeContext<RosterPanel>("useRosterPanel");
