/** The pending approvals of agents' calls, with arguments that the user changed, and the ended approvals. */
import type { Approval, ApprovalId, ArgumentCheck, Decision, HallEvent, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import type { Draft } from "../../form/model/draft";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";

const ENDINGS = {
  once: "Approved once",
  always: "Always allowed",
  deny: "Denied",
};

/** Maximum number of ended approvals in the store. */
const ENDED_MAX = 50;

/** An approval that is no longer pending. */
export interface EndedApproval {
  readonly approval: Approval;
  /** The decision from this window; `null` if the approval ended in another way, such as a timeout. */
  readonly decision: Decision | null;
  readonly endedAtMs: number;
}

type Open = ReadonlyMap<ApprovalId, Approval>;

export class ApprovalStore {
  /** Pending approvals, oldest first. */
  readonly open = new Store<Open>(new Map());
  /** The error of the last attempt to read the pending approvals. */
  readonly trouble = new Store<Report | null>(null);
  /** The arguments that the user changed, by approval. */
  readonly drafts = new Store<ReadonlyMap<ApprovalId, Draft>>(new Map());
  /** Ended approvals, oldest first. */
  readonly ended = new Store<readonly EndedApproval[]>([]);
  /** Pending approvals that the user dismissed from the approval bar. */
  readonly later = new Store<ReadonlySet<ApprovalId>>(new Set());
  /** Whether the Approvals tab is open. The approval bar is hidden then. */
  readonly shown = new Store(false);
  /** The approval that the user opened from elsewhere. Its panel takes the focus and resets this store. */
  readonly wanted = new Store<ApprovalId | null>(null);

  readonly #hall: Hall;
  readonly #now: () => number;
  readonly #decisions = new Map<ApprovalId, Decision>();
  /** Events received while a read is pending, which are applied to the read's result; `null` without a pending read. */
  #since: HallEvent[] | null = null;

  constructor(hall: Hall, now: () => number = () => Date.now()) {
    this.#hall = hall;
    this.#now = now;
  }

  take(events: readonly HallEvent[], missed: boolean): void {
    const about = events.filter(({ kind }) => kind === "approval_asked" || kind === "approval_ended");
    this.#since?.push(...about);
    if (about.length > 0) this.#set(withEvents(this.open.get(), about));
    if (missed) void this.read();
  }

  /** Reads the pending approvals, because a snapshot of the roster does not include them. */
  async read(): Promise<void> {
    const since: HallEvent[] = [];
    this.#since = since;
    try {
      const { approvals } = await this.#hall.ask("approvals", {});
      if (this.#since !== since) return;
      this.#set(withEvents(new Map(approvals.map((approval) => [approval.id, approval])), since));
      this.trouble.set(null);
    } catch (reason) {
      if (this.#since === since) this.trouble.set(asRefusal(reason).report);
    } finally {
      if (this.#since === since) this.#since = null;
    }
  }

  keepDraft(id: ApprovalId, draft: Draft): void {
    if (this.open.get().has(id)) this.drafts.update((drafts) => new Map(drafts).set(id, draft));
  }

  putOff(id: ApprovalId): void {
    this.later.update((later) => new Set(later).add(id));
  }

  /** Sends a decision. Returns the error, if any. The approval stays pending until its `approval_ended` event. */
  async decide(id: ApprovalId, decision: Decision, args: string | null, check: ArgumentCheck = "refuse"): Promise<Report | null> {
    this.#decisions.set(id, decision);
    try {
      await this.#hall.ask("decide_approval", { id, decision, arguments: args, check });
      return null;
    } catch (reason) {
      this.#decisions.delete(id);
      // If the approval ended before the decision arrived, this decision is not its outcome.
      const isIt = ({ approval, decision: held }: EndedApproval) => approval.id === id && held !== null;
      if (this.ended.get().some(isIt)) this.ended.update((all) => all.map((one) => (isIt(one) ? { ...one, decision: null } : one)));
      return asRefusal(reason).report;
    }
  }

  #set(now: Open): void {
    const before = this.open.get();
    const gone = [...before.values()].filter(({ id }) => !now.has(id));
    if (gone.length === 0 && now.size === before.size) return;
    this.open.set(now);
    if (gone.length === 0) return;
    const endedAtMs = this.#now();
    const ended = gone.map((approval): EndedApproval => {
      const decision = this.#decisions.get(approval.id) ?? null;
      this.#decisions.delete(approval.id);
      return { approval, decision, endedAtMs };
    });
    this.ended.update((all) => [...all, ...ended].slice(-ENDED_MAX));
    this.drafts.update((drafts) => new Map([...drafts].filter(([id]) => now.has(id))));
    this.later.update((later) => new Set([...later].filter((id) => now.has(id))));
  }
}

function withEvents(open: Open, events: readonly HallEvent[]): Open {
  const next = new Map(open);
  for (const event of events) {
    if (event.kind === "approval_asked") next.set(event.approval.id, event.approval);
    else if (event.kind === "approval_ended") next.delete(event.id);
  }
  return next;
}

/** The outcome of an approval as text, such as "Denied". */
export function endingOf({ approval, decision, endedAtMs }: EndedApproval): string {
  if (decision !== null) return ENDINGS[decision];
  return endedAtMs >= approval.expiresAtMs ? "Timed out" : "No longer needed";
}
