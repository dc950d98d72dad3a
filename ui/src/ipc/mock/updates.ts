/** Mocks updates of the app. Tests publish a version and set the outcome of its download. */
import type { HallEvent, NewVersion, Report, UpdateState } from "../bindings";
import type { Answers } from "../answers";

export const NEW: NewVersion = {
  version: "0.2.0",
  notes: "Members start faster.\nThe history can be searched by member.",
  address: "https://updates.example/Guild_Hall-0.2.0-x86_64.AppImage",
};

export class MockUpdates {
  state: UpdateState = {
    version: "0.1.0",
    way: "itself",
    address: "https://updates.example/latest.json",
    lookedAtMs: null,
    stage: { kind: "idle" },
    problem: null,
    last: null,
  };
  /** The version that a check for updates finds; `null` if there is none. */
  published: NewVersion | null = null;
  /** The failure of the download; `null` if it succeeds. */
  refusing: Report | null = null;
  readonly #tell: (event: HallEvent) => void;

  constructor(tell: (event: HallEvent) => void) {
    this.#tell = tell;
  }

  readonly handlers: Answers = {
    updates: () => Promise.resolve(this.state),
    look_for_update: async () => {
      this.at({ stage: { kind: "looking" }, problem: null });
      await Promise.resolve();
      const { published } = this;
      return this.at({
        lookedAtMs: new Date(2026, 10, 21, 14, 3).getTime(),
        stage: published ? { kind: "offered", new: published } : { kind: "idle" },
      });
    },
    fetch_update: async () => {
      const { stage } = this.state;
      if (stage.kind !== "offered") return this.state;
      this.at({ stage: { kind: "fetching", new: stage.new, done: 0, of: 90_000_000 }, problem: null });
      await Promise.resolve();
      if (this.refusing) return this.at({ stage, problem: this.refusing });
      return this.at({ stage: { kind: "ready", new: stage.new } });
    },
    cancel_update: () => Promise.resolve(this.at({ stage: { kind: "idle" } })),
    change_to_update: () => {
      const { stage } = this.state;
      return Promise.resolve(stage.kind === "ready" ? this.at({ stage: { kind: "changing", version: stage.new.version } }) : this.state);
    },
    forget_last_update: () => Promise.resolve(this.at({ last: null })),
  };

  /** Changes the state, and sends the event. */
  at(changes: Partial<UpdateState>): UpdateState {
    this.state = { ...this.state, ...changes };
    this.#tell({ kind: "updates_changed", updates: this.state });
    return this.state;
  }
}
