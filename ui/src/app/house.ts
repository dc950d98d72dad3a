/** What the window shows: a place, what is expanded, and the layers that lie open. */
import { createContext, use } from "react";

import type { MemberName, ToolName } from "../bridge/bindings";
import type { Bridge } from "../bridge/bridge";
import type { ToolFormHandle } from "../form/ToolForm";
import { Workbench } from "../hall/workbench";
import type { Schedule } from "../hall/frame";
import { Hall } from "../hall/hall";
import { Store } from "../hall/store";

export type Place =
  | { kind: "welcome" }
  | { kind: "member"; member: MemberName; /** Whether the log is to be shown first. */ log: boolean }
  | { kind: "tool"; member: MemberName; tool: ToolName };

interface FormRef {
  readonly current: ToolFormHandle | null;
}

export type Layer = "none" | "palette" | "drawer" | "warnings";

export class House {
  readonly hall: Hall;
  readonly bench: Workbench;
  readonly place = new Store<Place>({ kind: "welcome" });
  readonly expanded = new Store<ReadonlySet<MemberName>>(new Set());
  readonly layer = new Store<Layer>("none");
  /** What a screen reader is to be told politely; see the announcer. */
  readonly spoken = new Store("");
  readonly rosterHidden = new Store(false);
  /** What the palette begins with. */
  paletteText = "";
  #form: FormRef | null = null;
  #focusSearch: () => void = () => undefined;

  constructor(bridge: Bridge, schedule?: Schedule) {
    this.hall = new Hall(bridge, schedule);
    this.bench = new Workbench(this.hall);
  }

  openMember(member: MemberName, log = false): void {
    this.#goTo({ kind: "member", member, log });
  }

  openTool(member: MemberName, tool: ToolName): void {
    this.#goTo({ kind: "tool", member, tool });
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

  /** The form on the page, where there is one. */
  form(): ToolFormHandle | null {
    return this.#form?.current ?? null;
  }

  /** The page lends its form to keys and palette. The answer takes it back. */
  lendForm(form: FormRef): () => void {
    this.#form = form;
    return () => {
      if (this.#form === form) this.#form = null;
    };
  }

  /** The roster says how its search field is focused. */
  lendSearch(focus: () => void): void {
    this.#focusSearch = focus;
  }

  openPalette(text: string): void {
    this.paletteText = text;
    this.layer.set("palette");
  }

  /** Shows the roster, where it is hidden, and puts the cursor into its search field. */
  searchTools(): void {
    this.rosterHidden.set(false);
    if (isNarrow()) this.layer.set("drawer");
    // The field can be focused once it is shown.
    requestAnimationFrame(() => this.#focusSearch());
  }

  toggleRoster(): void {
    if (isNarrow()) this.layer.update((layer) => (layer === "drawer" ? "none" : "drawer"));
    else this.rosterHidden.update((hidden) => !hidden);
  }

  #goTo(place: Place): void {
    this.place.set(place);
    if (this.layer.get() === "drawer") this.layer.set("none");
  }
}

/** Whether the window is so narrow that the roster is a drawer; the same limit as in theme.css. */
function isNarrow(): boolean {
  return window.innerWidth < 760;
}

export const HouseContext = createContext<House | null>(null);

export function useHouse(): House {
  const house = use(HouseContext);
  if (!house) throw new Error("useHouse needs a HouseContext above it");
  return house;
}
