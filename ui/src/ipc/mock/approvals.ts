/** The agents' calls that wait for a person, in the mock hall. */
import type { Approval, DecideApproval, HallEvent } from "../bindings";

/** A call before the hall has given it an id and its times. */
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

  /** `allow` receives the tool that is allowed from now on. */
  constructor(tell: (event: HallEvent) => void, allow: (member: string, tool: string) => void) {
    this.#tell = tell;
    this.#allow = allow;
  }

  get all(): Approval[] {
    return [...this.#waiting.values()].map(({ approval }) => approval);
  }

  /** Asks, and waits for a decision; `null` when there will be none. */
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

  /** Takes a person's decision; false where the call waits no more. */
  decide(decision: DecideApproval): boolean {
    const waiting = this.#waiting.get(decision.id);
    if (!waiting) return false;
    if (decision.decision === "always") this.#allow(waiting.approval.member, waiting.approval.tool);
    this.#end(waiting, decision);
    return true;
  }

  /** Ends a call without a decision. */
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
