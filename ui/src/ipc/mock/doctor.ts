/** Mocks the system check. */
import type { CallId, Examination, Finding, HallEvent, Verdict } from "../bindings";
import type { Answers } from "../answers";

const ORDER: readonly Verdict[] = ["fine", "note", "warning", "problem"];

export function mockFinding(finding: Partial<Finding> & Pick<Finding, "check" | "kind" | "subject">): Finding {
  return { verdict: "fine", found: "As it should be.", details: [], advice: "", member: null, ...finding };
}

export class MockDoctor {
  /** The findings of a system check, in order. */
  findings: Finding[] = [mockFinding({ check: "disk", kind: "room", subject: "room", found: "80 GiB are free." })];
  /** The number of findings after which a system check hangs until it is cancelled. */
  hangsAfter = Number.POSITIVE_INFINITY;
  readonly #running = new Map<CallId, (examination: Examination) => void>();
  readonly #tell: (event: HallEvent) => void;

  constructor(tell: (event: HallEvent) => void) {
    this.#tell = tell;
  }

  cancel(call: CallId): void {
    this.#running.get(call)?.(this.#report(this.findings.slice(0, this.hangsAfter), true));
  }

  readonly handlers: Answers = {
    doctor: ({ call }) => {
      const of = this.findings.length;
      const found = this.findings.slice(0, this.hangsAfter);
      found.forEach((finding, index) => this.#tell({ kind: "examined", call, finding, done: index + 1, of }));
      if (found.length === of) return Promise.resolve(this.#report(found, false));
      return new Promise((resolve) => this.#running.set(call, resolve));
    },
  };

  #report(findings: Finding[], cancelled: boolean): Examination {
    const worst = Math.max(0, ...findings.map(({ verdict }) => ORDER.indexOf(verdict)));
    return { findings, worst: ORDER[worst] ?? "fine", cancelled, tookMs: 420 };
  }
}
