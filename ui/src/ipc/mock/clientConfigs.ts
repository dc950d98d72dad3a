/** Mocks the configuration files of other programs, into which Guild Hall can write the gateway. */
import type {
  AgentClient,
  ClientConfig,
  ClientConfigPreview,
  Endpoint,
  ClientConfigRef,
  ProgramChoice,
  UndoClientConfig,
  UndoneClientConfig,
  WriteClientConfig,
  WrittenClientConfig,
} from "../bindings";
import { refusal } from "./refusal";

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

/** Data about the servers in configuration files. */
export interface FileBook {
  /** The names of a file's servers that were imported as members. */
  readonly adopted: (path: string) => readonly string[];
  /** The tool selections of a file's program, for servers of which the program does not use all tools. */
  readonly choices: (path: string) => readonly ProgramChoice[];
  /** The project folder to which a file belongs; `null` for user-level files. */
  readonly project: (path: string) => string | null;
  /** Called after a file was connected to the gateway, or restored with the servers in `names`. */
  readonly handed: (path: string, names: readonly string[], connected: boolean) => void;
}

export class MockClientConfigs {
  /** The files' contents by path. Tests change them. */
  readonly files = new Map<string, string>([
    ["/home/me/.claude.json", '{\n  "theme": "dark",\n  "mcpServers": {}\n}\n'],
    ["/home/me/.cursor/mcp.json", "{}\n"],
  ]);

  /** Data about the servers in the files; without any servers by default. */
  book: FileBook = { adopted: () => [], choices: () => [], project: () => null, handed: () => undefined };
  readonly #addressOf: (endpoint: Endpoint) => string;
  readonly #letIn: (name: string, endpoint: Endpoint) => AgentClient;
  /** For each written file, its previous content (`null` for a new file), its new content and the removed servers. */
  readonly #backups = new Map<
    string,
    { readonly text: string | null; readonly written: string; readonly names: readonly string[]; readonly client: AgentClient }
  >();

  constructor(addressOf: (endpoint: Endpoint) => string, letIn: (name: string, endpoint: Endpoint) => AgentClient) {
    this.#addressOf = addressOf;
    this.#letIn = letIn;
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

  preview({ client, path: named, endpoint, handOver, allTools }: Omit<ClientConfigRef, "precondition">): ClientConfigPreview {
    const path = named ?? programOf(client).path;
    const before = this.files.get(path) ?? null;
    const takenOut = handOver ? [...this.book.adopted(path)] : [];
    const choices = handOver ? [...this.book.choices(path)] : [];
    const profile = choices.length > 0 && !allTools ? client : null;
    const after = this.#after(before, profile === null ? endpoint : { kind: "profile", profile }, takenOut);
    return { path, before, after, precondition: before ?? "", takenOut, comments: 0, choices, profile, project: this.book.project(path) };
  }

  write(request: WriteClientConfig): WrittenClientConfig {
    const { path, before, after, precondition, takenOut } = this.preview(request);
    if (precondition !== request.precondition) {
      throw refusal("client-config-changed", `${path} has changed since the preview was made.`, "Look at the new preview, then write it.");
    }
    this.#backups.set(path, { text: before, written: after, names: takenOut, client: this.#letIn(programOf(request.client).title, request.endpoint) });
    this.files.set(path, after);
    this.book.handed(path, [], true);
    return { path, backup: before === null ? null : `${path}.guild-hall-backup` };
  }

  undo({ client, path: named }: UndoClientConfig): UndoneClientConfig {
    const path = named ?? programOf(client).path;
    const backup = this.#backups.get(path);
    if (backup === undefined) {
      throw refusal("client-config-refused", `There is no backup of ${path}.`);
    }
    this.#backups.delete(path);
    const asBefore = this.files.get(path) === backup.written;
    if (backup.text === null) this.files.delete(path);
    else this.files.set(path, backup.text);
    this.book.handed(path, backup.names, false);
    return { path, asBefore, clients: [backup.client] };
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
  if (!program) throw refusal("program-unknown", `No program is called ${client}.`);
  return program;
}
