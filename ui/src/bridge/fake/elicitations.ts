/** The questions that fake servers ask of a person. */
import type { AnswerElicitation, Elicitation, HallEvent } from "../bindings";

/** A question before the hall has given it an id and its times. */
export type Question = Pick<Elicitation, "member" | "message" | "mode"> & Partial<Elicitation>;

const TEN_MINUTES = 600_000;

interface Open {
  elicitation: Elicitation;
  answered: (answer: AnswerElicitation) => void;
}

export class FakeElicitations {
  readonly #tell: (event: HallEvent) => void;
  readonly #open = new Map<string, Open>();
  #count = 0;

  constructor(tell: (event: HallEvent) => void) {
    this.#tell = tell;
  }

  get all(): Elicitation[] {
    return [...this.#open.values()].map(({ elicitation }) => elicitation);
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Asks, and waits for the answer. */
  ask(question: Question): Promise<AnswerElicitation> {
    this.#count += 1;
    const now = Date.now();
    const elicitation: Elicitation = {
      id: `elicitation-${this.#count}`,
      call: null,
      tool: null,
      askedAtMs: now,
      expiresAtMs: now + TEN_MINUTES,
      ...question,
    };
    return new Promise((answered) => {
      this.#open.set(elicitation.id, { elicitation, answered });
      this.#tell({ kind: "elicitation_asked", elicitation });
    });
  }

  /** Ends a question with a person's answer; false where it waits no more. */
  answer(answer: AnswerElicitation): boolean {
    const open = this.#open.get(answer.id);
    if (!open) return false;
    this.#open.delete(answer.id);
    this.#tell({ kind: "elicitation_ended", id: answer.id });
    open.answered(answer);
    return true;
  }
}
