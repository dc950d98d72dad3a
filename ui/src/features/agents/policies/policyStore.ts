/** Changes permissions, and stores the last change so that the user can undo it. */
import type { Policy, PolicyRules, ProfileName, Report, ToolPolicy } from "../../../ipc/bindings";
import { errorOf } from "../../../lib/errorOf";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";

/** A change that can be undone. */
interface Undo {
  /** The change as text for the Undo button. */
  readonly what: string;
  readonly profile: ProfileName | null;
  readonly before: { readonly tools: ToolPolicy[] } | { readonly rules: PolicyRules };
}

export class PolicyStore {
  /** The last change; `null` before the first change and after an undo. */
  readonly undo = new Store<Undo | null>(null);
  /** The key of the permission table's active row. */
  readonly row = new Store<string | null>(null);
  readonly #hall: Hall;

  constructor(hall: Hall) {
    this.#hall = hall;
  }

  /** Sets or clears the permission of tools. Returns the error, if any. */
  set(profile: ProfileName | null, tools: readonly Omit<ToolPolicy, "policy">[], policy: Policy | null, what: string): Promise<Report | null> {
    return this.#keep(profile, what, async () => {
      const named = tools.map(({ member, tool }) => ({ member, tool, policy }));
      const { before } = await this.#hall.ask("set_tool_policies", { profile, tools: named });
      return { tools: before };
    });
  }

  saveRules(profile: ProfileName | null, rules: PolicyRules, what: string): Promise<Report | null> {
    return this.#keep(profile, what, async () => ({ rules: await this.#hall.ask("save_policy_rules", { profile, rules }) }));
  }

  /** Undoes the last change. Returns the error, if any. */
  async takeBack(): Promise<Report | null> {
    const undo = this.undo.get();
    if (!undo) return null;
    const { profile, before } = undo;
    return errorOf(async () => {
      if ("tools" in before) await this.#hall.ask("set_tool_policies", { profile, tools: before.tools });
      else await this.#hall.ask("save_policy_rules", { profile, rules: before.rules });
      // The user may have made another change during the request.
      this.undo.update((now) => (now === undo ? null : now));
    });
  }

  #keep(profile: ProfileName | null, what: string, work: () => Promise<Undo["before"]>): Promise<Report | null> {
    return errorOf(async () => {
      const before = await work();
      this.undo.set({ what, profile, before });
    });
  }
}
