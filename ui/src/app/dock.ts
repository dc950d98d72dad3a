/** The dock below everything: whether it is open, how large, and what it shows. */
import { Store } from "../hall/store";
import { keepDock, keptDock } from "./kept";

export type DockTab = "history" | "saved";

export class Dock {
  /** Whether it is open; kept over restarts. */
  readonly shown = new Store<boolean>(keptDock());
  readonly tab = new Store<DockTab>("history");
  /** Whether it takes nearly all of the window. */
  readonly large = new Store(false);
  /** What had the focus before it was opened. */
  #from: Element | null = null;
  /** Whether what it shows is to have the focus once it is there. */
  #wantsFocus = false;
  #focus: (() => void) | null = null;

  /** Opens it with the focus in its list. */
  open(tab: DockTab): void {
    if (!this.shown.get()) this.#from = document.activeElement;
    const lent = this.shown.get() && this.tab.get() === tab ? this.#focus : null;
    this.tab.set(tab);
    this.shown.set(true);
    keepDock(true);
    this.#wantsFocus = lent === null;
    // A menu or the palette that opened it takes its focus along when it goes.
    requestAnimationFrame(lent ?? (() => this.focusTab()));
  }

  close(): void {
    this.shown.set(false);
    this.large.set(false);
    this.#wantsFocus = false;
    keepDock(false);
    const from = this.#from;
    this.#from = null;
    requestAnimationFrame(() => {
      const focused = document.activeElement;
      const nowhere = focused === null || focused === document.body;
      if (nowhere && from instanceof HTMLElement && from.isConnected) from.focus();
    });
  }

  toggle(): void {
    if (this.shown.get()) this.close();
    else this.open(this.tab.get());
  }

  /** Puts the focus into what is shown. */
  focus(): void {
    if (this.#focus) this.#focus();
    else this.focusTab();
  }

  /** Where the focus is until there is something to take it, or when there is nothing. */
  focusTab(): void {
    document.querySelector<HTMLElement>('#dock [role="tab"][data-state="active"]')?.focus();
  }

  /** Keeps the focus here after what had it has gone. */
  keepFocus(): void {
    requestAnimationFrame(() => {
      const focused = document.activeElement;
      if (this.shown.get() && (focused === null || focused === document.body)) this.focus();
    });
  }

  /** What is shown says how it is focused. The answer takes it back. */
  lendFocus(focus: () => void): () => void {
    this.#focus = focus;
    if (this.#wantsFocus) {
      this.#wantsFocus = false;
      requestAnimationFrame(() => this.#focus?.());
    }
    return () => {
      if (this.#focus === focus) this.#focus = null;
    };
  }
}
