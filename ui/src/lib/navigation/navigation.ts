/** Navigation: the current page, functions that open other pages, and the history for Back and Forward. */
import type { ElicitationId, InstalledMcpb, MemberName, ToolName } from "../../ipc/bindings";
import { focusedOutsideMenus } from "../focus";
import type { Layers } from "../layers";
import type { PageForm } from "../pageForm";
import type { Recent } from "../recent";
import { focusPage } from "../regions";
import type { RosterPanel } from "../rosterPanel";
import { Store } from "../store";
import { storeContext } from "../storeContext";
import { ADDING_ANCHORS, anchorOf } from "./anchors";
import type { Anchor } from "./books";
import type { AddingTab, AgentTab, HistoryTab, MemberTab, Offer, OfferTab, Place, SectionName, WantedSecret } from "./places";

/** A member that was just installed, with the notes that its review page shows. */
export type Installed = Pick<InstalledMcpb, "member" | "warning" | "staysCommand">;

/** The maximum number of pages that Back can return to. */
const PLACES_MAX = 50;

export class Navigation {
  readonly place = new Store<Place>({ kind: "welcome" });
  /** The current tab of the member's page, or the last one if another page is shown. */
  readonly memberTab = new Store<MemberTab>("tools");
  /** The current or last tab of the Add member dialog. */
  readonly addingTab = new Store<AddingTab>("paste");
  /** The installation after which the current page was opened; `null` if it was opened in another way. */
  readonly installed = new Store<Installed | null>(null);
  /**
   * Functions that let the open apps finish. Navigation waits for them before it shows another page. Each ends within a
   * second.
   */
  readonly leaving = new Set<() => Promise<void>>();
  readonly #layers: Layers;
  readonly #recent: Recent;
  readonly #roster: RosterPanel;
  readonly #form: PageForm;
  /** The pages that Back and Forward return to, the next one last. */
  readonly #before: Place[] = [];
  readonly #after: Place[] = [];
  #agentTab: AgentTab = "gateway";
  /** The page from which Help was opened, its focused element, and whether the Add member dialog was open. */
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

  /** Opens a member's review: its command and tools, compared with those that the user accepted. */
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

  /**
   * Opens a tool and focuses its first required field without a value. If there is no such field, focuses the first
   * field (`edit`) or Run (`run`).
   */
  fillTool(member: MemberName, tool: ToolName, wanted: "run" | "edit" = "run"): void {
    const focusIfShown = this.#form.focusNext(wanted);
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

  /** Opens an elicitation that does not belong to a call of this window. */
  openQuestion(member: MemberName, id: ElicitationId): void {
    this.#goTo({ kind: "question", member, id });
  }

  /** Opens the Agents page. Without `tab`, its last open tab is shown. */
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

  /** Opens the tab of the Add member dialog that lists the servers found in other apps. */
  openFound(): void {
    this.openAdding("found");
  }

  /** Opens the Add member dialog. Without `tab`, its last open tab is shown. */
  openAdding(tab = this.addingTab.get()): void {
    this.addingTab.set(tab);
    this.#layers.close("drawer");
    this.#layers.open("adding");
  }

  /** Opens the settings of tool detection. */
  openDiscovery(): void {
    this.#goTo({ kind: "discovery" });
  }

  /** Opens the secrets. With `wanted`, the page has a field for that secret's value. */
  openSecrets(wanted: WantedSecret | null = null): void {
    this.#goTo({ kind: "secrets", wanted });
  }

  /** Opens the settings. With `at`, that section is shown. */
  openSettings(at?: SectionName): void {
    this.#goTo({ kind: "settings", ...(at && { at }) });
  }

  /** Opens Help at a section. Without `at`, the section about the current page or dialog is shown. */
  openHelp(at: Anchor = this.#anchorHere()): void {
    const place = this.place.get();
    if (place.kind !== "help") this.#helpFrom = { place, focus: focusedOutsideMenus(), adding: this.#layers.has("adding") };
    while (this.#layers.closeTop());
    this.#goTo({ kind: "help", at });
  }

  /** Returns to the page or dialog from which Help was opened, and restores its focus. */
  leaveHelp(): void {
    const from = this.#helpFrom;
    this.#helpFrom = null;
    this.#goTo(from?.place ?? { kind: "welcome" });
    if (from?.adding) {
      this.openAdding();
      return;
    }
    requestAnimationFrame(() => {
      // The page was rendered again, so the element still exists only if it is outside the page.
      if (from?.focus instanceof HTMLElement && from.focus.isConnected && from.focus !== document.body) from.focus.focus();
      // An element in a closed drawer can't be focused.
      if (document.activeElement !== from?.focus) focusPage();
    });
  }

  /** The section about the current page, or about the Add member dialog if it is open. */
  #anchorHere(): Anchor {
    return this.#layers.has("adding") ? ADDING_ANCHORS[this.addingTab.get()] : anchorOf(this.place.get(), this.memberTab.get());
  }

  openHome(): void {
    this.#goTo({ kind: "welcome" });
  }

  /** Goes back or forward one page. If the Add member dialog is open, Back closes it. */
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
    if (this.leaving.size === 0) {
      this.#change(place);
      return;
    }
    void this.leaveApps().then(() => this.#change(place));
  }

  /** Lets the open apps finish. Resolves when all of them have finished. */
  async leaveApps(): Promise<void> {
    await Promise.all([...this.leaving].map((leave) => leave()));
  }

  #change(place: Place): void {
    if (place.kind !== "tool") this.#form.keepFocus();
    this.installed.set(null);
    this.place.set(place);
    this.#layers.close("drawer");
    this.#layers.close("adding");
  }
}

export const [NavigationContext, useNavigation] = storeContext<Navigation>("useNavigation");
