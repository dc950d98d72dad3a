/**
 * Drafts that outlive the window: written when the typing rests and when a tool is left, read when
 * the tool is opened again. That one can't be kept stops nobody: the window has it still.
 */
import type { KeepDraft, KeptDraft, MemberName, ToolName } from "../bridge/bindings";

/** Of so many tools it is remembered what was written last. */
const KNOWN_MAX = 60;
/** How long the typing has to rest. */
const REST_MS = 600;

/** The two commands about drafts. */
export interface DraftCommands {
  keep(request: KeepDraft): Promise<unknown>;
  kept(request: { member: MemberName; tool: ToolName }): Promise<KeptDraft>;
}

interface Waiting {
  readonly member: MemberName;
  readonly tool: ToolName;
  /** Writes the draft; `null` forgets it. */
  readonly write: () => string | null;
}

export class DraftKeeper {
  readonly #commands: DraftCommands;
  /** What is not written yet, by tool. */
  readonly #waiting = new Map<string, Waiting>();
  /** What was written or read last, by tool: the same is not written again. */
  readonly #known = new Map<string, string | null>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(commands: DraftCommands) {
    this.#commands = commands;
  }

  /** Writes a draft once the typing rests. Making its text is put off as well. */
  note(member: MemberName, tool: ToolName, write: () => string | null): void {
    this.#waiting.set(keyOf(member, tool), { member, tool, write });
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), REST_MS);
  }

  /** Writes what waits at once: the tool is left, or the window goes. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const [key, { member, tool, write }] of this.#waiting) {
      const draft = write();
      if (this.#known.get(key) === draft) continue;
      this.#know(key, draft);
      // Whoever could not be written to is asked again with the next change.
      this.#commands.keep({ member, tool, draft }).catch(() => this.#known.delete(key));
    }
    this.#waiting.clear();
  }

  /** The text that was kept for a tool; `null` when there is none, or nobody can tell. */
  async read(member: MemberName, tool: ToolName): Promise<string | null> {
    const key = keyOf(member, tool);
    try {
      const { draft } = await this.#commands.kept({ member, tool });
      if (!this.#known.has(key)) this.#know(key, draft);
      return draft;
    } catch {
      return null;
    }
  }

  #know(key: string, draft: string | null): void {
    this.#known.delete(key);
    this.#known.set(key, draft);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf(member: MemberName, tool: ToolName): string {
  return `${member}/${tool}`;
}
