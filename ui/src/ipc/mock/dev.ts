/** Mocks development mode: the rounds that rebuild and check a member. Tests provide the rounds. */
import type { DevRound, DevState, ExampleRun, HallEvent, MemberName } from "../bindings";
import type { Answers } from "../answers";
import { refusal } from "./refusal";

export function mockRound(number: number, round: Partial<DevRound> = {}): DevRound {
  return {
    member: "forge",
    number,
    beganMs: Date.UTC(2026, 10, 20, 9, 30, number),
    tookMs: 1_240,
    step: "passed",
    files: ["src/forge.py"],
    moreFiles: 0,
    build: null,
    error: null,
    tools: [],
    moreTools: 0,
    examples: [],
    ...round,
  };
}

export class MockDev {
  /** The development state by member. */
  readonly states = new Map<MemberName, Partial<Omit<DevState, "member">>>();
  /** Returns the result of running an example; by default the example passes. */
  onExample: (name: string) => Partial<ExampleRun> = () => ({});

  readonly #emit: (event: HallEvent) => void;

  constructor(emit: (event: HallEvent) => void) {
    this.#emit = emit;
  }

  readonly handlers: Answers = {
    dev_state: ({ member }) => Promise.resolve(this.#state(member)),
    run_examples: ({ member, names }) => {
      const { examples, rounds } = this.#state(member);
      const runs = examples
        .filter(({ name }) => names === null || names.includes(name))
        .map(({ name, tool }): ExampleRun => ({ name, tool, end: "passed", tookMs: 12, differences: [], ...this.onExample(name) }));
      const failed = runs.some(({ end }) => end === "failed");
      const number = (rounds[0]?.number ?? 0) + 1;
      const round = mockRound(number, { member, files: [], examples: runs, step: failed ? "examples-failed" : "passed" });
      this.tell(round);
      return Promise.resolve(round);
    },
    save_example: ({ member, name, tool, arguments: args, expect }) => {
      const state = this.#state(member);
      if (state.examples.some((example) => example.name === name)) {
        return Promise.reject(refusal("manifest-field", `plugin.json already has an example "${name}".`, "Give this one another name.", member));
      }
      this.states.set(member, { ...state, examples: [...state.examples, { name, tool, arguments: args, expects: [expect] }] });
      return Promise.resolve(this.#state(member));
    },
  };

  /** Adds or updates a round, and sends the event. */
  tell(round: DevRound): void {
    const state = this.#state(round.member);
    const others = state.rounds.filter(({ number }) => number !== round.number);
    this.states.set(round.member, { ...state, rounds: [round, ...others].slice(0, 10) });
    this.#emit({ kind: "dev_round", round });
  }

  #state(member: MemberName): DevState {
    return { member, watch: null, problem: null, examples: [], rounds: [], ...this.states.get(member) };
  }
}
