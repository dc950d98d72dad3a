/**
 * The interface between the page and the desktop shell with its engine. `tauri.ts` implements it for the shell,
 * `mock` for tests and for browsers.
 */
import type { AppInfo, Code, Commands, Envelope, MemberName, Report, RosterView, SettingsState, ToolName } from "./bindings";
import type { OpenedApp, Presence, Shown } from "./outside";

/** The data that the shell puts into the page before its scripts run, for the first paint. */
export interface Opening {
  roster: RosterView;
  info: AppInfo;
  settings: SettingsState;
}

export interface Bridge {
  /** The data for the first paint; `null` if the shell provided none. */
  readonly opening: Opening | null;
  /** Sends a command to the engine. Rejects with a {@link Refusal} if the command fails. */
  call<K extends keyof Commands>(
    name: K,
    request: Commands[K]["request"],
  ): Promise<Commands[K]["response"]>;
  /** Subscribes to the engine's events, beginning with the full roster. Returns the function that unsubscribes. */
  events(handler: (envelope: Envelope) => void, failed: (refusal: Refusal) => void): () => void;
  /** Notifies the shell that the roster is on the screen and, if `listens` is true, that the page handles links. */
  ready(listens: boolean): void;
  /**
   * Registers a function that is called when the program exits; the shell briefly waits for its result. Returns the
   * function that unregisters it.
   */
  ending(keep: () => Promise<void>): () => void;
  /** Sets the zoom factor of the page; 1 is the normal size. */
  zoom(factor: number): void;
  /**
   * Writes a file to a path that the user selects in the system's dialog. Returns the path, or `null` if the user
   * cancelled. Absent if no file dialog is available.
   */
  readonly saveFile?: (file: SaveFile) => Promise<string | null>;
  /**
   * Opens the system's file dialog. Returns the selected path, or `null` if the user cancelled. Absent if no file
   * dialog is available.
   */
  readonly pickPath?: (wanted: PickPath) => Promise<string | null>;
  /** Opens a folder, a file or an address with its default app. Absent in browsers. */
  readonly open?: (what: Openable) => Promise<void>;
  /** Reads the app of a tool from its member. Absent in browsers, which have no scheme for apps. */
  readonly openApp?: (of: { readonly member: MemberName; readonly tool: ToolName }) => Promise<OpenedApp>;
  /** Subscribes to files dragged over the window. Absent if the paths of dropped files are not available. */
  readonly drops?: (handler: (drop: Drop) => void) => () => void;
  /** Subscribes to requests to show a page, from links, notifications, the tray and global shortcuts. */
  readonly shows?: (handler: (shown: Shown) => void) => () => void;
  /** The state of the system integrations, such as the tray icon. Absent in browsers. */
  readonly presence?: () => Promise<Presence>;
}

/** A drag-and-drop event of files: the pointer is over the window, has left it, or dropped the files. */
export type Drop =
  | { readonly kind: "over" }
  | { readonly kind: "left" }
  | {
      readonly kind: "dropped";
      /** Absolute paths. */
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

/** The folders, files and addresses that {@link Bridge.open} accepts. */
export type Openable =
  | { readonly kind: "folder" | "manifest" | "log" | "terminal"; readonly member: MemberName }
  | { readonly kind: "data-folder" }
  /** `name` is the name of a {@link CrashReport}. */
  | { readonly kind: "crash-report"; readonly name: string }
  /** A web page. */
  | { readonly kind: "address"; readonly address: string };

/** The error of a failed command, with the engine's report. */
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

/** Converts any rejection of a command to a `Refusal`. A rejection without a report comes from the shell itself. */
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
