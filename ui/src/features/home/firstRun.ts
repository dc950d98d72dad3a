/**
 * The first steps: try a tool, review servers found in other apps, and connect an agent. Whether a step is done is
 * derived from the actual state. Only the user's dismissals are stored.
 */
import type { Agents } from "../agents/agents";
import { keep, readKept } from "../../lib/kept";
import type { Caller, HistoryEntry, MemberName, MemberView } from "../../ipc/bindings";
import type { FoundStore } from "../add/found/foundStore";
import type { Hall } from "../../lib/hall/hall";
import type { Navigation } from "../../lib/navigation/navigation";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import { NO_FILTER } from "../history/filter";

/** A member that starts automatically, with the command that it runs. */
interface Planned {
  readonly member: MemberName;
  /** The full command or the address; `null` if neither is known. */
  readonly runs: string | null;
  /** Whether the command is Guild Hall's own program. */
  readonly own: boolean;
}

interface Plan {
  /** The total number of members that start. */
  readonly count: number;
  /** The first members, at most `PLANNED_MAX`. */
  readonly members: readonly Planned[];
}

/** The maximum number of members listed individually. */
export const PLANNED_MAX = 12;

const KEPT = "first-run";

interface StoredFlags {
  /** Whether the user dismissed all first steps. */
  left: boolean;
  /** Whether the user dismissed the step about servers in other apps. */
  foundLeft: boolean;
}

function readFlags(value: unknown): StoredFlags | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return { left: "left" in value && value.left === true, foundLeft: "foundLeft" in value && value.foundLeft === true };
}

export class FirstRun {
  readonly kept = new Store<StoredFlags>(readKept<StoredFlags>(KEPT, readFlags, { left: false, foundLeft: false }));
  /** The newest call made in the window; `null` if there is none. */
  readonly tried = new Store<HistoryEntry | null>(null);
  /** The newest call made by an agent; `null` if there is none. */
  readonly called = new Store<HistoryEntry | null>(null);
  /** The members that start automatically; `null` until they are requested. */
  readonly planned = new Store<Plan | null>(null);
  readonly #hall: Hall;
  #read = false;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onRecorded((entries) => {
      for (const entry of entries) this.#seen(entry);
    });
  }

  get isLeft(): boolean {
    return this.kept.get().left;
  }

  /** Dismisses all first steps, or shows them again. */
  leave(left: boolean): void {
    this.#keep({ left, foundLeft: left && this.kept.get().foundLeft });
    if (!left) this.read();
  }

  leaveFound(): void {
    this.#keep({ ...this.kept.get(), foundLeft: true });
  }

  /** Reads the newest calls once, if the steps are shown. If a request fails, its step counts as not done. */
  read(): void {
    if (this.#read || this.isLeft) return;
    this.#read = true;
    for (const caller of ["window", "agent"] as const) {
      this.#newest(caller).then(
        (entry) => entry && this.#seen(entry),
        () => undefined,
      );
    }
  }

  /** Requests the planned starts, so that they are visible before any member starts. */
  async plan(): Promise<void> {
    if (this.isLeft || this.planned.get() !== null) return;
    const starting = this.#hall.state.get().members.filter(startsByItself);
    const plans = starting.slice(0, PLANNED_MAX).map(({ name }) => this.#planned(name));
    this.planned.set({ count: starting.length, members: await Promise.all(plans) });
  }

  async #planned(member: MemberName): Promise<Planned> {
    try {
      const { command, url, manifest } = await this.#hall.ask("member_detail", { member });
      return { member, runs: command ?? url, own: runsOwnProgram(manifest) };
    } catch {
      // The error is ignored, because the page of the member shows it.
      return { member, runs: null, own: false };
    }
  }

  async #newest(caller: Caller): Promise<HistoryEntry | undefined> {
    const page = await this.#hall.ask("search_history", { filter: { ...NO_FILTER, caller }, before: null, limit: 1 });
    return page.entries[0];
  }

  #seen(entry: HistoryEntry): void {
    const store = entry.caller === "window" ? this.tried : entry.caller === "agent" ? this.called : null;
    if (store && (store.get()?.atMs ?? 0) <= entry.atMs) store.set(entry);
  }

  #keep(kept: StoredFlags): void {
    this.kept.set(kept);
    keep(KEPT, kept.left || kept.foundLeft ? kept : undefined);
  }
}

/** Shows the first steps again after the user dismissed them. */
export function showFirstSteps({ firstRun, navigation }: { readonly firstRun: FirstRun; readonly navigation: Navigation }): void {
  firstRun.leave(false);
  navigation.openHome();
}

export const [FirstRunContext, useFirstRun] = storeContext<FirstRun>("useFirstRun");

/** Whether the member starts together with Guild Hall, even if only to list its tools. */
function startsByItself({ status }: MemberView): boolean {
  return status !== "disabled" && status !== "unreviewed";
}

/** Whether the manifest's command is `${GUILDHALL}`, the placeholder for Guild Hall's own program. */
function runsOwnProgram(manifest: string | null): boolean {
  try {
    const read: unknown = JSON.parse(manifest ?? "");
    return typeof read === "object" && read !== null && "command" in read && read.command === "${GUILDHALL}";
  } catch {
    return false;
  }
}

export type StepName = "try" | "found" | "agent";

interface Steps {
  readonly done: Readonly<Record<StepName, boolean>>;
  /** The first unfinished step; `null` if all are done. */
  readonly next: StepName | null;
}

/**
 * Computes which steps are done. `ran` is true if a call in this window has ended. Such a call may be missing from
 * the history.
 */
export function stepsOf(firstRun: FirstRun, found: FoundStore, agents: Agents, ran: boolean): Steps {
  const servers = found.known.get();
  const done = {
    try: ran || firstRun.tried.get() !== null,
    // The step is also done if other apps have no new servers.
    found: firstRun.kept.get().foundLeft || (servers !== null && servers.new === 0),
    agent: firstRun.called.get() !== null || (agents.gateway.get()?.clients.some(({ lastUsedMs }) => lastUsedMs !== null) ?? false),
  };
  const order: readonly StepName[] = ["try", "found", "agent"];
  return { done, next: order.find((name) => !done[name]) ?? null };
}
