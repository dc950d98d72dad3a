/** The configurations of programs that can name the gateway, in the fake hall. */
import type {
  ClientConfig,
  ClientConfigPreview,
  Endpoint,
  OfClientConfig,
  UndoClientConfig,
  WriteClientConfig,
  WrittenClientConfig,
} from "../bindings";
import { Refusal } from "../bridge";

interface Program {
  readonly client: string;
  readonly title: string;
  readonly path: string;
  readonly then: string;
}

const PROGRAMS: readonly Program[] = [
  { client: "claude-code", title: "Claude Code", path: "/home/me/.claude.json", then: "Start Claude Code anew, or type /mcp in it." },
  { client: "cursor", title: "Cursor", path: "/home/me/.cursor/mcp.json", then: "Switch the server on under Cursor Settings, MCP." },
  { client: "zed", title: "Zed", path: "/home/me/.config/zed/settings.json", then: "Nothing: Zed reads the file by itself." },
];

/** What is known of the servers in the files. */
export interface FileBook {
  /** The servers of a file that members run. */
  readonly adopted: (path: string) => readonly string[];
  /** The project's folder of a file. */
  readonly project: (path: string) => string | null;
  /** Hears what became of a file. */
  readonly handed: (path: string, names: readonly string[], connected: boolean) => void;
}

export class FakeClientConfigs {
  /** The files by their paths; tests write into it. */
  readonly files = new Map<string, string>([
    ["/home/me/.claude.json", '{\n  "theme": "dark",\n  "mcpServers": {}\n}\n'],
    ["/home/me/.cursor/mcp.json", "{}\n"],
  ]);

  /** What is known of the servers in the files, where anything is. */
  book: FileBook = { adopted: () => [], project: () => null, handed: () => undefined };
  readonly #addressOf: (endpoint: Endpoint) => string;
  /** What stood in each file before it was written, `null` where there was none; and what went. */
  readonly #backups = new Map<string, { readonly text: string | null; readonly names: readonly string[] }>();

  constructor(addressOf: (endpoint: Endpoint) => string) {
    this.#addressOf = addressOf;
  }

  all(endpoint: Endpoint): ClientConfig[] {
    return PROGRAMS.map(({ client, title, path, then }) => {
      const text = this.files.get(path);
      return {
        client,
        title,
        path,
        exists: text !== undefined,
        connected: text?.includes('"guild-hall"') === true,
        canUndo: this.#backups.has(path),
        snippet: this.#snippet(endpoint),
        then,
        direct: endpoint.kind === "member" ? { text: JSON.stringify({ mcpServers: { [endpoint.member]: { command: endpoint.member } } }, null, 2), note: null } : null,
      };
    });
  }

  preview({ client, path: named, endpoint, handOver }: Omit<OfClientConfig, "precondition">): ClientConfigPreview {
    const path = named ?? programOf(client).path;
    const before = this.files.get(path) ?? null;
    const takenOut = handOver ? [...this.book.adopted(path)] : [];
    return { path, before, after: this.#after(before, endpoint, takenOut), precondition: before ?? "", takenOut, project: this.book.project(path) };
  }

  write(request: WriteClientConfig): WrittenClientConfig {
    const { path, before, after, precondition, takenOut } = this.preview(request);
    if (precondition !== request.precondition) {
      throw new Refusal({
        code: "client-config-changed",
        message: `${path} has changed since the preview was made.`,
        hint: "Look at the new preview, then write it.",
        member: null,
      });
    }
    this.#backups.set(path, { text: before, names: takenOut });
    this.files.set(path, after);
    this.book.handed(path, [], true);
    return { path, backup: before === null ? null : `${path}.guild-hall-backup` };
  }

  undo({ client, path: named }: UndoClientConfig): WrittenClientConfig {
    const path = named ?? programOf(client).path;
    const backup = this.#backups.get(path);
    if (backup === undefined) {
      throw new Refusal({ code: "client-config-refused", message: `There is no backup of ${path}.`, hint: "", member: null });
    }
    this.#backups.delete(path);
    if (backup.text === null) this.files.delete(path);
    else this.files.set(path, backup.text);
    this.book.handed(path, backup.names, false);
    return { path, backup: null };
  }

  #snippet(endpoint: Endpoint): string {
    return JSON.stringify({ "guild-hall": { type: "http", url: this.#addressOf(endpoint), headers: { Authorization: "Bearer …" } } }, null, 2);
  }

  #after(before: string | null, endpoint: Endpoint, gone: readonly string[]): string {
    const read = JSON.parse(before ?? "{}") as Record<string, unknown>;
    const servers = Object.entries((read["mcpServers"] ?? {}) as Record<string, unknown>).filter(([name]) => !gone.includes(name));
    const entry = JSON.parse(this.#snippet(endpoint)) as Record<string, unknown>;
    return `${JSON.stringify({ ...read, mcpServers: { ...Object.fromEntries(servers), ...entry } }, null, 2)}\n`;
  }
}

function programOf(client: string): Program {
  const program = PROGRAMS.find((one) => one.client === client);
  if (!program) throw new Refusal({ code: "program-unknown", message: `No program is called ${client}.`, hint: "", member: null });
  return program;
}
