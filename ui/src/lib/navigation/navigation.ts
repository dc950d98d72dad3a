/** The page that the window shows, the way to every other page, and the way back. */
import type { ElicitationId, InstalledMcpb, MemberName, ToolName } from "../../ipc/bindings";
import { focusedOutsideMenus } from "../focus";
import type { Layers } from "../layers";
import type { PageForm } from "../pageForm";
import type { Recent } from "../recent";
import { focusPage } from "../regions";
import type { RosterPanel } from "../rosterPanel";
import { Store } from "../store";
import { storeContext } from "../storeContext";
import { anchorOf, anchorOfAdding } from "./anchors";
import type { Anchor } from "./books";
import type { AddingTab, AgentTab, HistoryTab, MemberTab, Offer, OfferTab, Place, SectionName, WantedSecret } from "./places";

/** An installed member, with the notes that its page shows. */
export type Installed = Pick<InstalledMcpb, "member" | "warning" | "staysCommand">;

/** The places that Back can return to. */
const PLACES_MAX = 50;

export class Navigation {
  readonly place = new Store<Place>({ kind: "welcome" });
  /** The tab of the member's page that is shown, or was last. */
  readonly memberTab = new Store<MemberTab>("tools");
  /** The tab that the Add member dialog shows, or showed last. */
  readonly addingTab = new Store<AddingTab>("paste");
  /** The installation that led to the page that is shown; `null` if none did. */
  readonly installed = new Store<Installed | null>(null);
  readonly #layers: Layers;
  readonly #recent: Recent;
  readonly #roster: RosterPanel;
  readonly #form: PageForm;
  /** The places before and after the one on the page, the nearest last. */
  readonly #before: Place[] = [];
  readonly #after: Place[] = [];
  #agentTab: AgentTab = "gateway";
  /** The place that the help was opened from, and the element that had the focus there. */
  #helpFrom: { place: Place; focus: Element | null; adding: boolean } | null = null;

  constructor(layers: Layers, recent: Recent, roster: RosterPanel, form: PageForm) {
    this.#layers = layers;
    this.#recent = recent;
    this.#roster = roster;
    this.#form = form;
  }

  openMember(member: MemberName, log = false): void {
    this.#recent.note({ kind: "member", member });
    this.#goTo({ kind: "member", member, first: log ? "log" : null });
  }

  openConfiguration(member: MemberName): void {
    this.#goTo({ kind: "member", member, first: "configuration" });
  }

  /** Opens a member's command and tools, beside what was accepted. */
  openReview(member: MemberName): void {
    this.#goTo({ kind: "member", member, first: "review" });
  }

  /** Opens the review of a member that was just installed, with the notes of the installation. */
  openInstalled(installed: Installed): void {
    this.openReview(installed.member);
    this.installed.set(installed);
  }

  openTool(member: MemberName, tool: ToolName): void {
    this.#recent.note({ kind: "tool", member, tool });
    this.#roster.setExpanded(member, true);
    this.#goTo({ kind: "tool", member, tool });
  }

  /** Opens a tool to be filled in: the focus goes to its first required field without a value, or else to Run. */
  fillTool(member: MemberName, tool: ToolName): void {
    const focusIfShown = this.#form.focusNext();
    this.openTool(member, tool);
    focusIfShown();
  }

  /** Opens the list of a member's resources or prompts. */
  openOffers(member: MemberName, offers: OfferTab): void {
    this.#goTo({ kind: "member", member, first: offers });
  }

  openOffer(member: MemberName, offer: Offer): void {
    this.#goTo({ kind: "offer", member, offer });
  }

  /** Opens a question that belongs to no call of this window. */
  openQuestion(member: MemberName, id: ElicitationId): void {
    this.#goTo({ kind: "question", member, id });
  }

  /** Opens the Agents page; at the last open tab if none is named. */
  openAgents(tab?: AgentTab): void {
    if (tab) this.#agentTab = tab;
    this.#goTo({ kind: "agents", tab: this.#agentTab });
  }

  openHistory(tab: HistoryTab = "calls"): void {
    this.#goTo({ kind: "history", tab });
  }

  openDoctor(): void {
    this.#goTo({ kind: "doctor" });
  }

  /** Opens the Add member dialog at the servers of other apps. */
  openFound(): void {
    this.openAdding("found");
  }

  /** Opens the Add member dialog; at the last open tab if none is named. */
  openAdding(tab = this.addingTab.get()): void {
    this.addingTab.set(tab);
    this.#layers.close("drawer");
    this.#layers.open("adding");
  }

  /** Opens the settings of tool detection. */
  openDiscovery(): void {
    this.#goTo({ kind: "discovery" });
  }

  /** Opens the secrets, with a field for the required one. */
  openSecrets(wanted: WantedSecret | null = null): void {
    this.#goTo({ kind: "secrets", wanted });
  }

  /** Opens the settings, at a section if one is named. */
  openSettings(at?: SectionName): void {
    this.#goTo({ kind: "settings", ...(at && { at }) });
  }

  /** Opens the guide or the list of errors; at the section about the page if none is named. */
  openHelp(at: Anchor = this.#anchorHere()): void {
    const place = this.place.get();
    if (place.kind !== "help") this.#helpFrom = { place, focus: focusedOutsideMenus(), adding: this.#layers.has("adding") };
    while (this.#layers.closeTop());
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
    return this.#layers.has("adding") ? anchorOfAdding(this.addingTab.get()) : anchorOf(this.place.get(), this.memberTab.get());
  }

  openHome(): void {
    this.#goTo({ kind: "welcome" });
  }

  /** Goes to the place before, or to the one after. The Add member dialog counts as a step forward. */
  travel(back: boolean): void {
    if (back && this.#layers.has("adding")) {
      this.#layers.close("adding");
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
    if (place.kind !== "tool") this.#form.keepFocus();
    this.installed.set(null);
    this.place.set(place);
    this.#layers.close("drawer");
    this.#layers.close("adding");
  }
}

export const [NavigationContext, useNavigation] = storeContext<Navigation>("useNavigation");
