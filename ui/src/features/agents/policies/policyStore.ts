/** Changes permissions, and stores the last change so that the user can undo it. */
import type { Policy, PolicyRules, ProfileName, Report, ToolPolicy } from "../../../ipc/bindings";
import { errorOf } from "../../../lib/errorOf";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";
import { closeToast } from "../../../lib/toasts";

/** A change that can be undone. */
interface Undo {
  readonly profile: ProfileName | null;
  readonly before: { readonly tools: ToolPolicy[] } | { readonly rules: PolicyRules };
}

export class PolicyStore {
  /** The key of the permission table's active row. */
  readonly row = new Store<string | null>(null);
  readonly #hall: Hall;
  /** The last change; `null` before the first change and after an undo. */
  #undo: Undo | null = null;
  /** The toast that offers the undo of the last change. */
  #toast: number | null = null;

  constructor(hall: Hall) {
    this.#hall = hall;
  }

  /** Sets or clears the permission of tools. Returns the error, if any. */
  set(profile: ProfileName | null, tools: readonly Omit<ToolPolicy, "policy">[], policy: Policy | null): Promise<Report | null> {
    return this.#keep(profile, async () => {
      const named = tools.map(({ member, tool }) => ({ member, tool, policy }));
      const { before } = await this.#hall.ask("set_tool_policies", { profile, tools: named });
      return { tools: before };
    });
  }

  saveRules(profile: ProfileName | null, rules: PolicyRules): Promise<Report | null> {
    return this.#keep(profile, async () => ({ rules: await this.#hall.ask("save_policy_rules", { profile, rules }) }));
  }

  /** Closes the toast of the previous change, because only the last change can be undone. */
  offer(toast: number | null): void {
    if (this.#toast !== null) closeToast(this.#toast);
    this.#toast = toast;
  }

  /** Undoes the last change. Returns the error, if any. */
  async takeBack(): Promise<Report | null> {
    const undo = this.#undo;
    if (!undo) return null;
    const { profile, before } = undo;
    this.offer(null);
    return errorOf(async () => {
      if ("tools" in before) await this.#hall.ask("set_tool_policies", { profile, tools: before.tools });
      else await this.#hall.ask("save_policy_rules", { profile, rules: before.rules });
      // If the user made another change during the request, that change can still be undone.
      if (this.#undo === undo) this.#undo = null;
    });
  }

  #keep(profile: ProfileName | null, work: () => Promise<Undo["before"]>): Promise<Report | null> {
    return errorOf(async () => {
      this.#undo = { profile, before: await work() };
    });
  }
}
