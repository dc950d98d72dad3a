/**
 * The state of servers' questions in this window: the drafts of answers, the ended questions, and the dismissed
 * notices. The open questions are in `HallState`.
 */
import type {
  CallEnd,
  CallId,
  Elicitation,
  ElicitationAction,
  ElicitationId,
  MemberName,
  Report,
} from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Draft } from "../form/model/draft";
import type { Hall } from "../../lib/hall/hall";
import { without } from "../../lib/maps";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import { hostOf } from "./address";

/** The maximum number of ended questions kept. */
const ENDED_MAX = 200;
/** If the end of a call ends its question, the events of both ends arrive at most this far apart, in milliseconds. */
const TOGETHER_MS = 1_000;

/** A question that has ended. */
export interface Ended {
  readonly elicitation: Elicitation;
  /** The answer that this window sent; `null` if the question ended for another reason. */
  readonly answered: ElicitationAction | null;
  readonly endedAtMs: number;
}

export class Questions {
  /** The drafts of answers. A question that the user has not edited has none. */
  readonly drafts = new Store<ReadonlyMap<ElicitationId, Draft>>(new Map());
  /** For each question, the fields of its form that are edited as JSON. */
  readonly asJson = new Map<ElicitationId, ReadonlySet<string>>();
  /** The questions whose whole answer is edited as JSON. */
  readonly whole = new Store<ReadonlySet<ElicitationId>>(new Set());
  /** The ended questions, oldest first. */
  readonly ended = new Store<readonly Ended[]>([]);
  /** The questions whose notice the user dismissed. */
  readonly later = new Store<ReadonlySet<ElicitationId>>(new Set());
  /** The questions on the screen, each with the number of views that show it. */
  readonly shown = new Store<ReadonlyMap<ElicitationId, number>>(new Map());
  /** The question that the user opened. Its panel takes the focus once. */
  readonly wanted = new Store<ElicitationId | null>(null);

  readonly #hall: Hall;
  readonly #answers = new Map<ElicitationId, ElicitationAction>();
  #open: ReadonlyMap<ElicitationId, Elicitation>;

  constructor(hall: Hall) {
    this.#hall = hall;
    this.#open = hall.state.get().elicitations;
    hall.state.subscribe(() => this.#follow());
  }

  keepDraft(id: ElicitationId, draft: Draft): void {
    if (this.#open.has(id)) this.drafts.update((drafts) => new Map(drafts).set(id, draft));
  }

  /** Switches the whole answer of a question between JSON and form fields. */
  showWhole(id: ElicitationId, asJson: boolean): void {
    this.whole.update((whole) => {
      if (whole.has(id) === asJson || !this.#open.has(id)) return whole;
      return new Set(asJson ? [...whole, id] : [...whole].filter((other) => other !== id));
    });
  }

  putOff(id: ElicitationId): void {
    this.later.update((later) => new Set(later).add(id));
  }

  /** Records that a view shows these questions. The returned function records that it no longer does. */
  show(ids: readonly ElicitationId[]): () => void {
    const count = (by: 1 | -1) =>
      this.shown.update((shown) => {
        const next = new Map(shown);
        for (const id of ids) {
          const places = (next.get(id) ?? 0) + by;
          if (places > 0) next.set(id, places);
          else next.delete(id);
        }
        return next;
      });
    count(1);
    return () => count(-1);
  }

  /**
   * Sends an answer. Returns the error if the engine rejects the answer. An accepted answer ends the question through
   * an event.
   */
  async answer(id: ElicitationId, action: ElicitationAction, content: string | null): Promise<Report | null> {
    this.#answers.set(id, action);
    try {
      await this.#hall.ask("answer_elicitation", { id, action, content });
      return null;
    } catch (reason) {
      this.#answers.delete(id);
      return asRefusal(reason).report;
    }
  }

  #follow(): void {
    const now = this.#hall.state.get().elicitations;
    const before = this.#open;
    if (now === before) return;
    this.#open = now;
    const gone = [...before.values()].filter(({ id }) => !now.has(id));
    if (gone.length === 0) return;
    const endedAtMs = Date.now();
    const ended = gone.map((elicitation): Ended => {
      const answered = this.#answers.get(elicitation.id) ?? null;
      this.#answers.delete(elicitation.id);
      return { elicitation, answered, endedAtMs };
    });
    this.ended.update((all) => [...all, ...ended].slice(-ENDED_MAX));
    this.drafts.update((drafts) => gone.reduce((rest, { id }) => without(rest, id), drafts));
    this.whole.update((whole) => new Set([...whole].filter((id) => now.has(id))));
    for (const { id } of gone) this.asJson.delete(id);
    this.later.update((later) => new Set([...later].filter((id) => now.has(id))));
  }
}

export const [QuestionsContext, useQuestions] = storeContext<Questions>("useQuestions");

/** The data of a call by which its questions are found and their outcomes are described. */
export interface Asker {
  readonly member: MemberName;
  readonly call: CallId;
  readonly startedAtMs: number;
  /** The outcome of the call; `null` while the call is running. */
  readonly outcome: { readonly durationMs: number; readonly end: CallEnd } | null;
}

/**
 * The open questions of a call, oldest first. A question whose server doesn't name a call is shown at every
 * running call of the member.
 */
export function questionsOf(open: ReadonlyMap<ElicitationId, Elicitation>, asker: Asker): readonly Elicitation[] {
  return [...open.values()].filter(({ call, member }) =>
    call === null ? asker.outcome === null && member === asker.member : call === asker.call,
  );
}

/** The ended questions of a call, oldest first. */
export function endedOf(ended: readonly Ended[], asker: Asker): readonly Ended[] {
  const until = endOf(asker) + TOGETHER_MS;
  return ended.filter(({ elicitation: { call, member, askedAtMs }, endedAtMs }) =>
    call === null
      ? member === asker.member && askedAtMs >= asker.startedAtMs && endedAtMs <= until
      : call === asker.call,
  );
}

function endOf({ startedAtMs, outcome }: Asker): number {
  return outcome === null ? Infinity : startedAtMs + outcome.durationMs;
}

/** A label for how a question ended. */
export function endingOf({ elicitation, answered, endedAtMs }: Ended, asker: Asker | null): string {
  const { member, mode, expiresAtMs } = elicitation;
  switch (answered) {
    case "accept":
      return mode.kind === "url" ? `you confirmed opening ${hostOf(mode.url) ?? "its address"}` : "you answered";
    case "decline":
      return "you declined";
    case "cancel":
      return "you dismissed it";
    case null:
      break;
  }
  if (endedAtMs >= expiresAtMs) return "timed out";
  const outcome = asker?.outcome ?? null;
  if (!asker || !outcome || endedAtMs < endOf(asker) - TOGETHER_MS) return "no longer needed";
  if (outcome.end.kind === "result") return "the call continued without an answer";
  switch (outcome.end.report.code) {
    case "call-cancelled":
      return "the call was cancelled";
    case "call-timeout":
      return "the call timed out";
    case "call-interrupted":
    case "member-exited":
    case "crash-loop":
    case "connection-failed":
      return `${member} ended`;
    default:
      return "the call ended without an answer";
  }
}
