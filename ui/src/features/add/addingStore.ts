/**
 * The state of the Paste tab: the pasted text or chosen file, the servers found in it, and the servers selected
 * for import.
 */
import type { Brought, BroughtServers, Report } from "../../ipc/bindings";
import type { Drop } from "../../ipc/bridge";
import { asRefusal } from "../../ipc/bridge";
import type { ImportSource } from "./found/importSource";
import { ServerSelection } from "./found/selection";
import type { Hall } from "../../lib/hall/hall";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import { Typed } from "./typed";

const refusal = (message: string, hint: string): Report => ({ code: "snippet-unreadable", message, hint, member: null });

const SEVERAL = refusal("Drop one file at a time.", "Each file is previewed first.");

const NO_FILE = refusal("That isn't a file.", "Drop a file, or paste the text.");

/** The maximum size of a pasted text, in bytes. The engine has the same limit. */
export const TEXT_MAX = 1 << 20;

/** Matches the file names of bundles. */
const BUNDLE = /\.(?:mcpb|dxt)$/i;

export interface Brings {
  readonly brought: Brought;
  /** The servers found in the text or file; `null` until they are read. */
  readonly servers: BroughtServers | null;
  /** The error if the text or file can't be read. */
  readonly trouble: Report | null;
}

export class AddingStore implements ImportSource {
  /** The last text or file that was read; `null` before the first one. */
  readonly now = new Store<Brings | null>(null);
  /** The current text of the field. It may contain secrets, so it is kept out of stores that components render. */
  #text = "";
  /** Whether a file is dragged over the window. */
  readonly hovered = new Store(false);
  /** The path of a dropped or chosen bundle, until the bundle panel opens it. */
  readonly bundle = new Store<string | null>(null);
  /** The user's input for a new server. */
  readonly typed = new Typed();
  readonly selection: ServerSelection;
  readonly #hall: Hall;
  /** Incremented to discard the responses of pending requests. */
  #turn = 0;

  constructor(hall: Hall) {
    this.#hall = hall;
    this.selection = new ServerSelection((servers) => {
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

  /** Reads a text or a file and lists its servers. Starts none of them. */
  async bring(brought: Brought): Promise<void> {
    this.#turn += 1;
    this.selection.reset();
    this.now.set({ brought, servers: null, trouble: null });
    await this.#ask(brought);
    const servers = this.now.get()?.servers?.servers ?? [];
    // A single server is selected for import, but the user still has to confirm the import.
    if (servers.length === 1) this.selection.select(servers);
  }

  /** Reads the same text or file again, because some of its servers may have become members. */
  async read(): Promise<void> {
    const brings = this.now.get();
    if (!brings) return;
    this.#turn += 1;
    await this.#ask(brings.brought);
  }

  /** Forgets the text or file and the selection. */
  forget(): void {
    this.#turn += 1;
    this.#text = "";
    this.now.set(null);
    this.selection.reset();
  }

  /** Called after all selected servers were imported. Forgets the text or file and the selection. */
  finish(): void {
    this.forget();
  }

  /**
   * Reads a file, or passes the path of a bundle to the bundle panel. Returns the id of the tab that handles the
   * file.
   */
  file(path: string): "paste" | "bundle" {
    if (BUNDLE.test(path)) {
      this.bundle.set(path);
      return "bundle";
    }
    void this.bring({ kind: "file", path });
    return "paste";
  }

  /**
   * Handles drag and drop events of the window. `open` is called with the id of the tab that shows the dropped
   * file.
   */
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

  #refuse(trouble: Report): void {
    this.#turn += 1;
    this.now.set({ brought: { kind: "text", text: "" }, servers: null, trouble });
  }

  async #ask(brought: Brought): Promise<void> {
    const mine = this.#turn;
    const show = (servers: BroughtServers | null, trouble: Report | null) => {
      if (mine !== this.#turn) return;
      this.now.set({ brought, servers, trouble });
      if (servers) this.selection.deselectStale(servers.servers);
    };
    try {
      show(await this.#hall.ask("read_brought", brought), null);
    } catch (reason) {
      show(null, asRefusal(reason).report);
    }
  }
}

export const [AddingStoreContext, useAddingStore] = storeContext<AddingStore>("useAddingStore");
