/** The roster in the sidebar: whether it is shown, which members it shows, which of them are expanded. */
import type { MemberName } from "../ipc/bindings";
import type { MemberState } from "./hall/state";
import type { Layers } from "./layers";
import { Store } from "./store";
import { storeContext } from "./storeContext";

/** The sidebar's width in pixels. */
export const ROSTER_PX = { least: 220, most: 400, usual: 264 };

/** Whether the roster is a drawer, because the window has room for the sidebar's icons at most; the `rail` breakpoint of theme.css. */
export function isNarrow(): boolean {
  return window.innerWidth < 900;
}

export class RosterPanel {
  readonly expanded = new Store<ReadonlySet<MemberName>>(new Set());
  /** Whether the sidebar is only a column of icons although the window has room for the roster. */
  readonly hidden = new Store(false);
  /** The state of the members that the roster is limited to. */
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

  /** Shows the roster, where it is hidden, and puts the cursor into its search field. */
  searchTools(): void {
    this.hidden.set(false);
    if (isNarrow()) this.#layers.open("drawer");
    // The field can be focused once it is shown.
    requestAnimationFrame(() => this.#focusSearch());
  }

  /** Limits the roster to the members of a state, or shows all of them again. */
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
