/** What a person has brought, the servers in it, and which of them are to be members. */
import type { Installed } from "../app/house";
import type { Brought, BroughtServers, Report } from "../bridge/bindings";
import type { Drop } from "../bridge/bridge";
import { asRefusal } from "../bridge/bridge";
import type { Adopting } from "../found/adopting";
import { Adoption } from "../found/adoption";
import type { Hall } from "../hall/hall";
import { Store } from "../hall/store";

const SEVERAL_DROPPED = { message: "Drop one file at a time.", hint: "Each file is previewed first." };

const NO_FILE_DROPPED = { message: "That isn't a file.", hint: "Drop a file, or paste the text." };

/** The engine's own limit of a text, in bytes. */
export const TEXT_MAX = 1 << 20;

/** How a bundle is called. */
const BUNDLE = /\.(?:mcpb|dxt)$/i;

export interface Brings {
  readonly brought: Brought;
  /** What is in it; `null` while it is read. */
  readonly servers: BroughtServers | null;
  /** Why it can't be read. */
  readonly trouble: Report | null;
}

export class AddingBook implements Adopting {
  /** What was brought last; `null` until then. */
  readonly now = new Store<Brings | null>(null);
  /** The field's text. It may contain secrets, so it is not in a store that is rendered. */
  #text = "";
  /** Whether something is held over the window that may be dropped. */
  readonly hovered = new Store(false);
  /** A bundle that was dropped or chosen, until its tab takes it. */
  readonly bundle = new Store<string | null>(null);
  /** What was installed last while its person was elsewhere, and what is said of it, until it was reviewed or is gone. */
  readonly meanwhile = new Store<{ readonly said: string; readonly installed: Installed } | null>(null);
  readonly adoption: Adoption;
  readonly #hall: Hall;
  /** The installed server once its member needs a review; the roster may report that later. */
  #waiting: unknown = null;
  /** Incremented to discard pending answers. */
  #turn = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.state.subscribe(() => this.#awaitReview());
    this.meanwhile.subscribe(() => this.#awaitReview());
    this.adoption = new Adoption((servers) => {
      const brings = this.now.get();
      if (!brings) return Promise.resolve({ each: [] });
      return hall.ask("adopt_brought", { brought: brings.brought, servers });
    });
  }

  get text(): string {
    return this.#text;
  }

  type(text: string): void {
    this.#text = text;
  }

  /** Reads what a person brings. Nothing of it is started. */
  async bring(brought: Brought): Promise<void> {
    this.#turn += 1;
    this.adoption.untick([...this.adoption.state.get().chosen.keys()]);
    this.adoption.clear();
    this.now.set({ brought, servers: null, trouble: null });
    await this.#ask(brought);
    const servers = this.now.get()?.servers?.servers ?? [];
    // Of one alone it is clear which is meant; it is ticked, and nothing more.
    if (servers.length === 1) this.adoption.tick(servers);
  }

  /** Reads the servers again, because some may have become members. */
  async read(): Promise<void> {
    const brings = this.now.get();
    if (!brings) return;
    this.#turn += 1;
    await this.#ask(brings.brought);
  }

  /** Takes what was brought away. */
  forget(): void {
    this.#turn += 1;
    this.#text = "";
    this.now.set(null);
    this.adoption.untick([...this.adoption.state.get().chosen.keys()]);
    this.adoption.clear();
  }

  /** Takes a file: a bundle is another tab's. Says whose it is. */
  file(path: string): "paste" | "bundle" {
    if (BUNDLE.test(path)) {
      this.bundle.set(path);
      return "bundle";
    }
    void this.bring({ kind: "file", path });
    return "paste";
  }

  /** Handles files dragged over the window and dropped on it; `open` shows the tab that took them. */
  follow(drop: Drop, open: (tab: "paste" | "bundle") => void): void {
    this.hovered.set(drop.kind === "over");
    if (drop.kind !== "dropped") return;
    const [path] = drop.paths;
    if (drop.paths.length === 1 && path !== undefined) {
      open(this.file(path));
      return;
    }
    open("paste");
    this.#refuse(drop.paths.length === 0 ? NO_FILE : SEVERAL);
  }

  /** Clears the news after the review, even if the member's status changes again. */
  #awaitReview(): void {
    const meanwhile = this.meanwhile.get();
    if (meanwhile === null) return;
    const member = this.#hall.state.get().byName.get(meanwhile.installed.member);
    if (member?.status === "unreviewed") this.#waiting = meanwhile;
    else if (this.#waiting === meanwhile) this.meanwhile.set(null);
  }

  #refuse(trouble: Report): void {
    this.#turn += 1;
    this.now.set({ brought: { kind: "text", text: "" }, servers: null, trouble });
  }

  async #ask(brought: Brought): Promise<void> {
    const mine = this.#turn;
    const told = (servers: BroughtServers | null, trouble: Report | null) => {
      if (mine !== this.#turn) return;
      this.now.set({ brought, servers, trouble });
      if (servers) this.adoption.holdTo(servers.servers);
    };
    try {
      told(await this.#hall.ask("read_brought", brought), null);
    } catch (reason) {
      told(null, asRefusal(reason).report);
    }
  }
}

const SEVERAL: Report = {
  code: "snippet-unreadable",
  ...SEVERAL_DROPPED,
  member: null,
};

const NO_FILE: Report = {
  code: "snippet-unreadable",
  ...NO_FILE_DROPPED,
  member: null,
};
