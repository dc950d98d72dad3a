/**
 * Drafts that outlive the window: written when the typing rests and when a tool is left, read when
 * the tool is opened again. A failed write changes nothing: the window still has the draft. A stored draft
 * is not overwritten before it was read.
 */
import type { KeepDraft, KeptDraft, MemberName, ToolName } from "../../ipc/bindings";

/** Maximum tools whose last draft is remembered. */
const KNOWN_MAX = 60;
/** Pause in the typing before a draft is written. */
const REST_MS = 600;

/** The two commands about drafts, and the listener for stored ones. */
interface DraftCommands {
  keep(request: KeepDraft): Promise<unknown>;
  kept(request: { member: MemberName; tool: ToolName }): Promise<KeptDraft>;
  /** Called with a draft that was kept, unless it is what the form holds. */
  found(member: MemberName, tool: ToolName, text: string): void;
}

interface Waiting {
  readonly member: MemberName;
  readonly tool: ToolName;
  /** Writes the draft; `null` forgets it. */
  readonly write: () => string | null;
}

export class DraftKeeper {
  readonly #commands: DraftCommands;
  /** Drafts that are not written yet, by tool. */
  readonly #waiting = new Map<string, Waiting>();
  /** The draft that was written or read last, by tool: the same one is not written again. */
  readonly #known = new Map<string, string | null>();
  /** The tools whose stored draft was read; other stored drafts are not overwritten. */
  readonly #settled = new Map<string, true>();
  /** The tools whose kept draft is being read, and the end of that. */
  readonly #reading = new Map<string, Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(commands: DraftCommands) {
    this.#commands = commands;
  }

  /** Writes a draft once the typing rests. Making its text is put off as well. */
  note(member: MemberName, tool: ToolName, write: () => string | null): void {
    put(this.#waiting, keyOf(member, tool), { member, tool, write });
    this.#rest();
  }

  /** Writes what waits at once: the tool is left, or the window goes. Answers when it is kept. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await Promise.all([...this.#waiting.values()].map(({ member, tool }) => this.#keep(member, tool)));
  }

  async #keep(member: MemberName, tool: ToolName): Promise<void> {
    const key = keyOf(member, tool);
    if (!this.#settled.has(key)) await this.#read(member, tool);
    const waiting = this.#waiting.get(key);
    // It waits until the stored draft, which it would replace, was read.
    if (!waiting || !this.#settled.has(key)) return;
    this.#waiting.delete(key);
    const draft = waiting.write();
    if (this.#known.get(key) === draft) return;
    put(this.#known, key, draft);
    // A failed write is tried again with the next change.
    await this.#commands.keep({ member, tool, draft }).catch(() => this.#known.delete(key));
  }

  /** Called when a tool is opened: reads its stored draft, unless its form has content already. */
  async open(member: MemberName, tool: ToolName, isEmpty: boolean): Promise<void> {
    const key = keyOf(member, tool);
    if (isEmpty) this.#settled.delete(key);
    if (!this.#settled.has(key)) await this.#read(member, tool);
  }

  /** Reads what was kept; where that fails, it is tried again with the next change. */
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

/** Puts something in, as the newest; past the limit the oldest goes. */
function put<T>(held: Map<string, T>, key: string, value: T): void {
  held.delete(key);
  held.set(key, value);
  const [oldest] = held.keys();
  if (held.size > KNOWN_MAX && oldest !== undefined) held.delete(oldest);
}

function keyOf(member: MemberName, tool: ToolName): string {
  return `${member}/${tool}`;
}
