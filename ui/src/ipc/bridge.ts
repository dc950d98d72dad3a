/**
 * The interface between the page and the program. `tauri.ts` implements it for the desktop shell, `mock` for tests
 * and browsers.
 */
import type { AppInfo, Code, Commands, Envelope, MemberName, Report, RosterView, SettingsState } from "./bindings";
import type { Presence, Shown } from "./outside";

/** The data that the shell hands to the page before its script runs, so that the first paint is complete. */
export interface Opening {
  roster: RosterView;
  info: AppInfo;
  settings: SettingsState;
}

export interface Bridge {
  /** The roster of the first paint, where the shell gave one. */
  readonly opening: Opening | null;
  /** Runs one command. Rejects with a {@link Refusal}. */
  call<K extends keyof Commands>(
    name: K,
    request: Commands[K]["request"],
  ): Promise<Commands[K]["response"]>;
  /** Listens to the engine's events; the first is the whole roster. Returns the function that ends it. */
  events(handler: (envelope: Envelope) => void, failed: (refusal: Refusal) => void): () => void;
  /** Notifies the shell that the roster is on the screen; `listens`: that the page is ready for links too. */
  ready(listens: boolean): void;
  /** Runs `keep` when the program ends; the shell waits a moment for it. Returns the function that ends that. */
  ending(keep: () => Promise<void>): () => void;
  /** Draws the page larger or smaller, as a browser's zoom does. */
  zoom(factor: number): void;
  /**
   * Writes a file to a path that the user selects in the system's dialog. Returns the path, or `null` if the user
   * cancelled. Absent if the system has no such dialog.
   */
  readonly saveFile?: (file: SaveFile) => Promise<string | null>;
  /** Asks for a path with the system's dialog, as {@link saveFile}. */
  readonly pickPath?: (wanted: PickPath) => Promise<string | null>;
  /** Opens something with the programs of the system. Absent where there are none. */
  readonly open?: (what: Openable) => Promise<void>;
  /** Listens to files that are dragged over the window and dropped. Absent if their paths are unknown. */
  readonly drops?: (handler: (drop: Drop) => void) => () => void;
  /** Listens to links, notifications, the tray and shortcuts that ask the page to show a place. */
  readonly shows?: (handler: (shown: Shown) => void) => () => void;
  /** The state of the parts outside the page. Absent if there are none. */
  readonly presence?: () => Promise<Presence>;
}

/** An event of files that the user drags over the window. */
export type Drop =
  | { readonly kind: "over" }
  | { readonly kind: "left" }
  | {
      readonly kind: "dropped";
      /** Whole paths. */
      readonly paths: readonly string[];
    };

export interface SaveFile {
  suggestedName: string;
  content: { text: string } | { base64: string };
}

export interface PickPath {
  kind: "file" | "folder" | "new-file";
  suggestedName?: string;
}

/** The things that the shell opens with the programs of the system. */
export type Openable =
  | { readonly kind: "folder" | "manifest" | "log" | "terminal"; readonly member: MemberName }
  | { readonly kind: "data-folder" }
  /** A web page. */
  | { readonly kind: "address"; readonly address: string };

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

/** Accepts any rejection of a command. A rejection that is not a report comes from the shell itself. */
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
