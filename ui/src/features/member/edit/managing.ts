/** Renames, duplicates, disables, removes and restores members, and stores which dialog is open. */
import type { MemberName, MemberView, RemovedMember, Report } from "../../../ipc/bindings";
import { errorOf } from "../../../lib/errorOf";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";

interface Managed {
  readonly operation: "rename" | "duplicate" | "remove";
  readonly member: MemberName;
}

export class Managing {
  /** The open dialog and its member; `null` while no dialog is open. */
  readonly shown = new Store<Managed | null>(null);
  /** Whether a dialog was opened since the app started. The code of the dialogs is loaded only then. */
  readonly used = new Store(false);
  readonly #hall: Hall;

  constructor(hall: Hall) {
    this.#hall = hall;
  }

  open(operation: Managed["operation"], member: MemberName): void {
    this.used.set(true);
    this.shown.set({ operation, member });
  }

  close(): void {
    this.shown.set(null);
  }

  /** Enables a disabled member, and disables any other member. An error is shown as a notice. */
  async toggle({ name, status }: MemberView): Promise<void> {
    const refused = await errorOf(() => this.#hall.ask("set_member_enabled", { member: name, enabled: status === "disabled" }));
    if (refused !== null) this.#hall.tell(refused);
  }

  /** Renames or duplicates a member and passes the result to `done`. Returns the error, if any. */
  rename(operation: "rename" | "duplicate", member: MemberName, name: string, done: (view: MemberView) => void): Promise<Report | null> {
    return errorOf(async () => done(await this.#hall.ask(`${operation}_member`, { member, name })));
  }

  remove(member: MemberName, done: (removed: RemovedMember) => void): Promise<Report | null> {
    return errorOf(async () => done(await this.#hall.ask("remove_member", { member })));
  }

  /** Restores a removed member. An error is shown as a notice. */
  async restore({ removal }: RemovedMember, done: (view: MemberView) => void): Promise<void> {
    const refused = await errorOf(async () => done(await this.#hall.ask("restore_member", { removal })));
    if (refused !== null) this.#hall.tell(refused);
  }
}

export const [ManagingContext, useManaging] = storeContext<Managing>("useManaging");
