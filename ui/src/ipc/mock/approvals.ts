/** Mocks the approvals: agents' calls that wait for the user's decision. */
import type { Approval, DecideApproval, HallEvent } from "../bindings";

/** An approval without the fields that the engine adds, such as its id and times. */
export type AskedApproval = Pick<Approval, "member" | "tool"> & Partial<Approval>;

const TWO_MINUTES = 120_000;

interface Waiting {
  readonly approval: Approval;
  readonly decided: (decision: DecideApproval | null) => void;
}

export class MockApprovals {
  readonly #tell: (event: HallEvent) => void;
  readonly #allow: (member: string, tool: string) => void;
  readonly #waiting = new Map<string, Waiting>();
  #count = 0;

  /** `allow` is called with a tool when the user decides to always allow it. */
  constructor(tell: (event: HallEvent) => void, allow: (member: string, tool: string) => void) {
    this.#tell = tell;
    this.#allow = allow;
  }

  get all(): Approval[] {
    return [...this.#waiting.values()].map(({ approval }) => approval);
  }

  /** Requests an approval. Resolves with the decision, or with `null` if the call ends without a decision. */
  ask(asked: AskedApproval): Promise<DecideApproval | null> {
    this.#count += 1;
    const now = Date.now();
    const approval: Approval = {
      id: `approval-${this.#count}`,
      client: "claude-code",
      arguments: "{}",
      askedAtMs: now,
      expiresAtMs: now + TWO_MINUTES,
      ...asked,
    };
    return new Promise((decided) => {
      this.#waiting.set(approval.id, { approval, decided });
      this.#tell({ kind: "approval_asked", approval });
    });
  }

  /** Applies the user's decision. Returns false if the call no longer waits for one. */
  decide(decision: DecideApproval): boolean {
    const waiting = this.#waiting.get(decision.id);
    if (!waiting) return false;
    if (decision.decision === "always") this.#allow(waiting.approval.member, waiting.approval.tool);
    this.#end(waiting, decision);
    return true;
  }

  /** Ends a waiting call without a decision. */
  end(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting) this.#end(waiting, null);
  }

  #end({ approval, decided }: Waiting, decision: DecideApproval | null): void {
    this.#waiting.delete(approval.id);
    this.#tell({ kind: "approval_ended", id: approval.id });
    decided(decision);
  }
}
