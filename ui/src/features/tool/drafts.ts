/**
 * Stores drafts on disk so that they outlive the window. A draft is written when the user pauses typing or
 * leaves the tool, and read when the tool is opened. A failed write loses nothing, because the window still has
 * the draft. A stored draft is not overwritten before it was read.
 */
import type { KeepDraft, KeptDraft, MemberName, ToolName } from "../../ipc/bindings";

/** Maximum tools whose last draft is kept in memory. */
const KNOWN_MAX = 60;
/** Pause after the last change before a draft is written, in milliseconds. */
const REST_MS = 600;

/** The commands that write and read drafts, and the listener for drafts that were read. */
interface DraftCommands {
  keep(request: KeepDraft): Promise<unknown>;
  kept(request: { member: MemberName; tool: ToolName }): Promise<KeptDraft>;
  /** Called with a stored draft that was read, unless it equals the draft that is about to be written. */
  found(member: MemberName, tool: ToolName, text: string): void;
}

interface Waiting {
  readonly member: MemberName;
  readonly tool: ToolName;
  /** Serializes the draft; `null` deletes the stored draft. */
  readonly write: () => string | null;
}

export class DraftKeeper {
  readonly #commands: DraftCommands;
  /** Drafts that are not written yet, by tool. */
  readonly #waiting = new Map<string, Waiting>();
  /** The draft that was last written or read, by tool. An equal draft is not written again. */
  readonly #known = new Map<string, string | null>();
  /** The tools whose stored draft was read. The stored drafts of other tools must not be overwritten. */
  readonly #settled = new Map<string, true>();
  /** The reads in progress, by tool. */
  readonly #reading = new Map<string, Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(commands: DraftCommands) {
    this.#commands = commands;
  }

  /** Writes a draft after a pause in typing. `write` serializes the draft and is called only then. */
  note(member: MemberName, tool: ToolName, write: () => string | null): void {
    put(this.#waiting, keyOf(member, tool), { member, tool, write });
    this.#rest();
  }

  /** Writes all pending drafts, because the tool or the window is closed. Resolves when they are written. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await Promise.all([...this.#waiting.values()].map(({ member, tool }) => this.#keep(member, tool)));
  }

  async #keep(member: MemberName, tool: ToolName): Promise<void> {
    const key = keyOf(member, tool);
    if (!this.#settled.has(key)) await this.#read(member, tool);
    const waiting = this.#waiting.get(key);
    // If the stored draft could not be read, the new one stays pending, because writing would replace it.
    if (!waiting || !this.#settled.has(key)) return;
    this.#waiting.delete(key);
    const draft = waiting.write();
    if (this.#known.get(key) === draft) return;
    put(this.#known, key, draft);
    // After a failed write, the entry is removed from `#known`, so that the next change is written even if the draft is
    // equal.
    await this.#commands.keep({ member, tool, draft }).catch(() => this.#known.delete(key));
  }

  /** Called when a tool is opened. Reads its stored draft if the form is empty or the draft was not read yet. */
  async open(member: MemberName, tool: ToolName, isEmpty: boolean): Promise<void> {
    const key = keyOf(member, tool);
    if (isEmpty) this.#settled.delete(key);
    if (!this.#settled.has(key)) await this.#read(member, tool);
  }

  /** Reads a stored draft; joins a read in progress. A failed read is repeated with the next change. */
  #read(member: MemberName, tool: ToolName): Promise<void> {
    const key = keyOf(member, tool);
    const reading = this.#reading.get(key) ?? this.#readAnew(member, tool);
    this.#reading.set(key, reading);
    return reading;
  }

  async #readAnew(member: MemberName, tool: ToolName): Promise<void> {
    const key = keyOf(member, tool);
    const kept = await this.#commands.kept({ member, tool }).catch(() => null);
    this.#reading.delete(key);
    if (kept === null || kept.trouble !== null) return;
    put(this.#settled, key, true);
    put(this.#known, key, kept.draft);
    const waiting = this.#waiting.get(key);
    if (kept.draft !== null && waiting?.write() !== kept.draft) this.#commands.found(member, tool, kept.draft);
    if (waiting !== undefined) this.#rest();
  }

  #rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), REST_MS);
  }
}

/** Sets an entry and makes it the newest. Above the limit, the oldest entry is removed. */
function put<T>(held: Map<string, T>, key: string, value: T): void {
  held.delete(key);
  held.set(key, value);
  const [oldest] = held.keys();
  if (held.size > KNOWN_MAX && oldest !== undefined) held.delete(oldest);
}

function keyOf(member: MemberName, tool: ToolName): string {
  return `${member}/${tool}`;
}
