/**
 * The one door between the page and the program behind it.
 *
 * Everything else in `src` sees only this interface; `tauri.ts` speaks to the desktop shell,
 * `fake.ts` stands in for it in tests and in a browser.
 */
import type { AppInfo, Code, Commands, Envelope, Report, Roster } from "./bindings";

/** What the shell hands to the page before its script runs, so that the first paint is whole. */
export interface Opening {
  roster: Roster;
  info: AppInfo;
}

export interface Bridge {
  /** The roster of the first paint, where the shell gave one. */
  readonly opening: Opening | null;
  /** Runs one command. Rejects with a {@link Refusal}. */
  call<K extends keyof Commands>(
    name: K,
    request: Commands[K]["request"],
  ): Promise<Commands[K]["response"]>;
  /** Listens to the hall's events; the first is the whole roster. Returns what ends it. */
  events(handler: (envelope: Envelope) => void, failed: (refusal: Refusal) => void): () => void;
  /** Tells the shell that the roster is on the screen. */
  ready(): void;
}

/** Why a command was not carried out. */
export class Refusal extends Error {
  constructor(readonly report: Report) {
    super(report.message);
    this.name = "Refusal";
  }
}

const UNREACHABLE: Code = "connection-failed";

function isReport(value: unknown): value is Report {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    "message" in value &&
    typeof value.code === "string" &&
    typeof value.message === "string"
  );
}

/** Takes whatever a command was rejected with. What is no report comes from the shell itself. */
export function asRefusal(reason: unknown): Refusal {
  if (reason instanceof Refusal) return reason;
  if (isReport(reason)) return new Refusal(reason);
  const words = reason instanceof Error ? reason.message : String(reason);
  return new Refusal({
    code: UNREACHABLE,
    message: `The window got no answer from Guild Hall: ${words}`,
    hint: "Close the window and open it again.",
    member: null,
  });
}
