/** What the window shows: a place, what is expanded, and the layers that lie open. */
import { createContext, use } from "react";

import { RegistryBook } from "../features/add/registry/registryBook";
import { AddingBook } from "../features/add/addingBook";
import { BundleBook } from "../features/add/bundle/bundleBook";
import type { AddingTab } from "../features/add/tabs";
import { Agents, type AgentTab } from "../features/agents/agents";
import type { ElicitationId, EntryId, InstalledMcpb, MemberName, ToolName } from "../ipc/bindings";
import type { Bridge, Drop, Openable, PickPath } from "../ipc/bridge";
import type { Presence, Shown } from "../ipc/outside";
import { Doctor } from "../features/settings/doctor/examination";
import { Questions } from "../features/elicitation/questions";
import type { Draft } from "../features/form/model/draft";
import type { ToolFormHandle } from "../features/form/ToolForm";
import type { MemberState } from "../lib/hall/state";
import { sheetKey, Workbench } from "../features/tool/workbench";
import { FoundBook } from "../features/add/found/foundBook";
import { anchorOf, anchorOfAdding, type Anchor } from "../features/help/anchors";
import { ToolDesk } from "../features/tool/desk";
import { Tour } from "../features/tour/tour";
import type { Schedule } from "../lib/frame";
import { Hall } from "../lib/hall/hall";
import { Store } from "../lib/store";
import { CallHistory, type HistoryTab } from "../features/history/callHistory";
import { Managing } from "../features/member/edit/managing";
import { OffersDesk } from "../features/member/offers/desk";
import type { Offer, OfferTab } from "../features/member/offers/offer";
import { focusedOutsideMenus } from "../lib/focus";
import { prefixOf, type Prefix } from "../features/palette/prefixes";
import { SecretBook, type WantedSecret } from "../features/settings/secrets/secretBook";
import { SettingsBook } from "../features/settings/settingsBook";
import { FirstRun } from "../features/home/firstRun";
import { keep, numberWithin, readKept } from "../lib/kept";
import { Layers, type Layer } from "../lib/layers";
import { Recent } from "../lib/recent";
import { focusFirstField, focusPage, isInForm } from "../lib/regions";
import { Spoken } from "../lib/spoken";
import { Zoom } from "../lib/zoom";
import { UpdateBook } from "../features/settings/updateBook";
import type { SectionName } from "../features/settings/fields";

/** The tabs of a member's page. */
export type MemberTab = "tools" | OfferTab | "log" | "configuration" | "review" | "dev";

export type Place =
  | { kind: "welcome" }
  | {
      kind: "member";
      member: MemberName;
      /** The tab to show first, if one was requested. */
      first: MemberTab | null;
    }
  | { kind: "tool"; member: MemberName; tool: ToolName }
  | { kind: "offer"; member: MemberName; offer: Offer }
  | { kind: "question"; member: MemberName; id: ElicitationId }
  | { kind: "agents"; tab: AgentTab }
  | { kind: "history"; tab: HistoryTab }
  | { kind: "doctor" }
  | { kind: "discovery" }
  | { kind: "secrets"; wanted: WantedSecret | null }
  | { kind: "settings"; at?: SectionName }
  | { kind: "help"; at: Anchor };

/** The member that a page belongs to; `null` for other pages. */
export function memberOf(place: Place): MemberName | null {
  return "member" in place ? place.member : null;
}

/** What is to be known of a member once it is installed. */
export type Installed = Pick<InstalledMcpb, "member" | "warning" | "staysCommand">;

interface FormRef {
  readonly current: ToolFormHandle | null;
}

/** The sidebar's width in pixels. */
export const ROSTER_PX = { least: 220, most: 400, usual: 264 };

/** The places that Back can return to. */
const PLACES_MAX = 50;

export class House {
  readonly hall: Hall;
  readonly bench: Workbench;
  readonly questions: Questions;
  readonly offers: OffersDesk;
  /** What agents get, and what they ask. */
  readonly agents: Agents;
  /** What keeps members from working on this machine. */
  readonly doctor: Doctor;
  /** Servers that other programs have in their files. */
  readonly found: FoundBook;
  /** Newer versions of the program. */
  readonly updates: UpdateBook;
  /** Servers that a person brings in. */
  readonly adding: AddingBook;
  /** The opened bundle. */
  readonly bundles: BundleBook;
  /** Servers that registries list. */
  readonly registry: RegistryBook;
  readonly secrets: SecretBook;
  /** What a person set. */
  readonly settings: SettingsBook;
  /** What a new guild is to be done with first. */
  readonly firstRun: FirstRun;
  readonly tour: Tour;
  /** The tab of the member's page that is shown, or was last. */
  readonly memberTab = new Store<MemberTab>("tools");
  /** Renames, duplicates, disables, removes and restores members. */
  readonly managing: Managing;
  readonly desk = new ToolDesk();
  readonly place = new Store<Place>({ kind: "welcome" });
  readonly expanded = new Store<ReadonlySet<MemberName>>(new Set());
  readonly layers = new Layers();
  /** The way that the Add member dialog shows, or showed last. */
  readonly addingTab = new Store<AddingTab>("paste");
  /** The questions that lie over the page before something is done, each with how it is left undone. */
  readonly asking = new Set<() => void>();
  /** The calls of the past. */
  readonly history: CallHistory;
  /** What was opened or done last; the palette shows it first. */
  readonly recent = new Recent();
  readonly zoom: Zoom;
  /** Polite screen reader announcements; see the announcer. */
  readonly spoken = new Spoken();
  /** What was installed and led to the page that is shown; `null` where nothing was. */
  readonly installed = new Store<Installed | null>(null);
  /** Whether the sidebar is only a column of icons although the window has room for the roster. */
  readonly rosterHidden = new Store(false);
  /** The state of the members that the roster is limited to. */
  readonly rosterState = new Store<MemberState | null>(null);
  /** Asks for a path by the system's dialog; absent where there is none. */
  readonly pickPath: ((wanted: PickPath) => Promise<string | null>) | undefined;
  /** Opens something with the programs of the system; absent where there are none. */
  readonly open: ((what: Openable) => Promise<void>) | undefined;
  /** Subscribes to files dropped on the window; absent where their paths are unknown. */
  readonly drops: ((handler: (drop: Drop) => void) => () => void) | undefined;
  /** Subscribes to requests from outside the page to show something; absent in a browser. */
  readonly shows: ((handler: (shown: Shown) => void) => () => void) | undefined;
  /** Reads the state of tray, shortcuts and links; absent in a browser. */
  readonly presence: (() => Promise<Presence>) | undefined;
  /** The palette's text. */
  readonly paletteText = new Store("");
  /** The places before and after the one on the page, the nearest last. */
  readonly #before: Place[] = [];
  readonly #after: Place[] = [];
  readonly #sizes = new Map<string, Store<number | null>>();
  #form: FormRef | null = null;
  #agentTab: AgentTab = "gateway";
  /** Whether the next form is to have the focus in its first field. */
  #wantsField = false;
  /** Where the help was opened from, and what had the focus there. */
  #helpFrom: { place: Place; focus: Element | null; adding: boolean } | null = null;
  #focusSearch: () => void = () => undefined;

  constructor(bridge: Bridge, schedule?: Schedule) {
    this.hall = new Hall(bridge, schedule);
    this.bench = new Workbench(this.hall);
    this.history = new CallHistory(this.hall);
    this.drops = bridge.drops && ((handler) => bridge.drops?.(handler) ?? (() => undefined));
    this.shows = bridge.shows && ((handler) => bridge.shows?.(handler) ?? (() => undefined));
    this.presence = bridge.presence && (() => bridge.presence?.() ?? Promise.reject(new Error("there is none")));
    this.pickPath = bridge.pickPath && ((wanted) => bridge.pickPath?.(wanted) ?? Promise.resolve(null));
    this.open = bridge.open && ((what) => bridge.open?.(what) ?? Promise.resolve());
    this.managing = new Managing(this.hall);
    this.questions = new Questions(this.hall);
    this.offers = new OffersDesk(this.hall);
    this.agents = new Agents(this.hall);
    this.doctor = new Doctor(this.hall);
    this.found = new FoundBook(this.hall);
    this.updates = new UpdateBook(this.hall);
    this.adding = new AddingBook(this.hall);
    this.bundles = new BundleBook(this.hall);
    this.registry = new RegistryBook(this.hall);
    this.secrets = new SecretBook(this.hall);
    this.firstRun = new FirstRun(this.hall);
    this.tour = new Tour(this);
    this.zoom = new Zoom((factor) => bridge.zoom(factor));
    this.settings = new SettingsBook(this.hall, this.zoom, bridge.opening);
  }

  openMember(member: MemberName, log = false): void {
    this.recent.note({ kind: "member", member });
    this.#goTo({ kind: "member", member, first: log ? "log" : null });
  }

  openConfiguration(member: MemberName): void {
    this.#goTo({ kind: "member", member, first: "configuration" });
  }

  /** Opens what a member runs and what its tools say, beside what was accepted. */
  openReview(member: MemberName): void {
    this.#goTo({ kind: "member", member, first: "review" });
  }

  /** Opens the review of a member that was just installed, with the notes from its installation. */
  openInstalled(installed: Installed): void {
    this.openReview(installed.member);
    this.installed.set(installed);
  }

  openTool(member: MemberName, tool: ToolName): void {
    this.recent.note({ kind: "tool", member, tool });
    this.setExpanded(member, true);
    this.#goTo({ kind: "tool", member, tool });
  }

  /** Opens a tool to be filled in: the focus goes to its first required field without a value, or else to Run. */
  fillTool(member: MemberName, tool: ToolName): void {
    this.#wantsField = true;
    const before = this.#form;
    this.openTool(member, tool);
    // If the tool is already open, its form is not registered again.
    requestAnimationFrame(() => before?.current && before === this.#form && this.#focusField());
  }

  /** Opens the list of a member's resources or prompts. */
  openOffers(member: MemberName, offers: OfferTab): void {
    this.#goTo({ kind: "member", member, first: offers });
  }

  openOffer(member: MemberName, offer: Offer): void {
    this.#goTo({ kind: "offer", member, offer });
  }

  /** Opens a resource that was linked to, and reads it. */
  readResource(member: MemberName, uri: string): void {
    this.openOffer(member, { kind: "resource", uri });
    void this.offers.ask(member, { kind: "resource", uri }, { kind: "resource", uri });
  }

  /** Opens a question that belongs to no call of this window. */
  openQuestion(member: MemberName, id: ElicitationId): void {
    this.#goTo({ kind: "question", member, id });
  }

  /** Opens what concerns agents; the tab that was open last where none is named. */
  openAgents(tab?: AgentTab): void {
    if (tab) this.#agentTab = tab;
    this.#goTo({ kind: "agents", tab: this.#agentTab });
  }

  openHistory(tab: HistoryTab = "calls"): void {
    this.#goTo({ kind: "history", tab });
  }

  /** Opens one past call beside the list of all. */
  openCall(id: EntryId): void {
    this.openHistory();
    this.history.open(id);
  }

  /** Opens the check of this machine, and has it begin where none ran before, unless it is to wait for a person. */
  openDoctor(begins = true): void {
    this.#goTo({ kind: "doctor" });
    if (begins && this.doctor.isNew()) void this.doctor.examine();
  }

  /** Opens the Add member dialog at the servers of other apps. */
  openFound(): void {
    this.openAdding("found");
  }

  /** Opens the Add member dialog; without a name, at the way that was open last. */
  openAdding(tab = this.addingTab.get()): void {
    this.addingTab.set(tab);
    this.layers.close("drawer");
    this.layers.open("adding");
  }

  /** Opens how tools are found out, and the settings of that. */
  openDiscovery(): void {
    this.#goTo({ kind: "discovery" });
  }

  /** Opens the secrets, with a field for the required one. */
  openSecrets(wanted: WantedSecret | null = null): void {
    this.#goTo({ kind: "secrets", wanted });
  }

  /** Opens the settings, at a section where one is named. */
  openSettings(at?: SectionName): void {
    this.#goTo({ kind: "settings", ...(at && { at }) });
  }

  /** Opens the guide, or the list of errors, at a section; at that about what is shown where none is named. */
  openHelp(at: Anchor = this.#anchorHere()): void {
    const place = this.place.get();
    if (place.kind !== "help") this.#helpFrom = { place, focus: focusedOutsideMenus(), adding: this.layers.has("adding") };
    while (this.layers.closeTop());
    this.#goTo({ kind: "help", at });
  }

  /** Goes back to where the help was opened. */
  leaveHelp(): void {
    const from = this.#helpFrom;
    this.#helpFrom = null;
    this.#goTo(from?.place ?? { kind: "welcome" });
    if (from?.adding) {
      this.openAdding();
      return;
    }
    requestAnimationFrame(() => {
      // The previous page is rendered again; the roster and the bars are unchanged.
      if (from?.focus instanceof HTMLElement && from.focus.isConnected && from.focus !== document.body) from.focus.focus();
      // An element in a closed drawer takes no focus.
      if (document.activeElement !== from?.focus) focusPage();
    });
  }

  /** The section of the guide about the page or the dialog over it. */
  #anchorHere(): Anchor {
    return this.layers.has("adding") ? anchorOfAdding(this.addingTab.get()) : anchorOf(this.place.get(), this.memberTab.get());
  }

  openHome(): void {
    this.#goTo({ kind: "welcome" });
  }

  /** Shows the first steps again after they were dismissed. */
  showFirstSteps(): void {
    this.firstRun.leave(false);
    this.#goTo({ kind: "welcome" });
  }

  /** Opens a tool with a draft that comes from elsewhere, and says what has to be known of it. */
  handOver(member: MemberName, tool: ToolName, draft: Draft, notes: readonly string[]): void {
    this.bench.handOver(sheetKey(member, tool), draft, notes);
    this.fillTool(member, tool);
  }

  /** Asks for a name to keep the arguments of the tool on the page under. */
  nameCall(): void {
    const place = this.place.get();
    this.form()?.commit();
    if (place.kind === "tool") this.history.naming.set({ member: place.member, tool: place.tool });
  }

  /** Opens the menu of what the call of the form on the page can be copied as. */
  copyCall(): void {
    this.form()?.commit();
    this.desk.copying.set(true);
  }

  /**
   * Closes all layers over the page, as Escape does, because they would hide a page opened from outside or
   * from the palette. With `stays`, questions and that layer stay open: it is visible above them and returns
   * the focus to them.
   */
  uncover(stays?: Layer): void {
    if (stays === undefined) for (const leave of [...this.asking]) leave();
    for (const layer of [...this.layers.shown.get()].reverse()) if (layer !== stays) this.layers.close(layer);
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
    requestAnimationFrame(() => {
      // If the user has already focused a field of the form, keep the focus there.
      if (isInForm()) this.#wantsField = false;
      this.#focusField();
    });
    return () => {
      if (this.#form === form) this.#form = null;
    };
  }

  /** The roster says how its search field is focused. */
  lendSearch(focus: () => void): void {
    this.#focusSearch = focus;
  }

  openPalette(text: string): void {
    // An open palette keeps its text.
    if (!this.layers.has("palette")) this.paletteText.set(text);
    this.layers.open("palette");
  }

  /**
   * Handles a shortcut of the palette. An open palette switches to that kind of result with the same words,
   * or closes if it shows that kind already.
   */
  pressPalette(prefix: Prefix | ""): void {
    const text = this.paletteText.get();
    const before = prefixOf(text);
    if (!this.layers.has("palette")) this.openPalette(prefix);
    else if (before === prefix) this.layers.close("palette");
    else this.paletteText.set(prefix + text.slice(before.length));
  }

  /** Shows the roster, where it is hidden, and puts the cursor into its search field. */
  searchTools(): void {
    this.rosterHidden.set(false);
    if (isNarrow()) this.layers.open("drawer");
    // The field can be focused once it is shown.
    requestAnimationFrame(() => this.#focusSearch());
  }

  /** Limits the roster to the members of a state, or shows all of them again. */
  filterRoster(state: MemberState): void {
    this.rosterState.update((now) => (now === state ? null : state));
    if (this.rosterState.get() !== null && (isNarrow() || this.rosterHidden.get())) this.searchTools();
  }

  toggleRoster(): void {
    if (!isNarrow()) this.rosterHidden.update((hidden) => !hidden);
    else if (this.layers.has("drawer")) this.layers.close("drawer");
    else {
      this.uncover();
      this.searchTools();
    }
  }

  /** The size that was chosen for a pane, `null` while none was; kept over restarts. */
  size(name: string, least: number, most: number): Store<number | null> {
    const known = this.#sizes.get(name);
    if (known) return known;
    const size = new Store<number | null>(readKept<number | null>(name, numberWithin(least, most), null));
    size.subscribe(() => keep(name, size.get() ?? undefined));
    this.#sizes.set(name, size);
    return size;
  }

  #focusField(): void {
    if (!this.#wantsField) return;
    this.#wantsField = false;
    const form = this.form();
    if (form?.focusFirst) form.focusFirst();
    else focusFirstField();
  }

  /** Goes to the place before, or to the one after. The Add member dialog counts as a step forward. */
  travel(back: boolean): void {
    if (back && this.layers.has("adding")) {
      this.layers.close("adding");
      return;
    }
    const [from, to] = back ? [this.#before, this.#after] : [this.#after, this.#before];
    const place = from.pop();
    if (place === undefined) return;
    to.push(this.place.get());
    this.#show(place);
  }

  #goTo(place: Place): void {
    const now = this.place.get();
    if (JSON.stringify(now) !== JSON.stringify(place)) {
      this.#before.push(now);
      if (this.#before.length > PLACES_MAX) this.#before.shift();
      this.#after.length = 0;
    }
    this.#show(place);
  }

  #show(place: Place): void {
    if (place.kind !== "tool") this.#wantsField = false;
    this.installed.set(null);
    this.place.set(place);
    this.layers.close("drawer");
    this.layers.close("adding");
  }
}

/** Whether the roster is a drawer, because the window has room for the sidebar's icons at most; the `rail` breakpoint of theme.css. */
export function isNarrow(): boolean {
  return window.innerWidth < 900;
}

export const HouseContext = createContext<House | null>(null);

export function useHouse(): House {
  const house = use(HouseContext);
  if (!house) throw new Error("useHouse needs a HouseContext above it");
  return house;
}
