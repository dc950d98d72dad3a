/** Mocks the search for servers in the configuration files of other programs, and their import. */
import type { AdoptionEnd, FoundFile, FoundPlace, FoundServer, FoundServers, HallEvent, MemberName, ProgramChoice, Report } from "../bindings";
import type { Answers } from "../answers";
import type { FileBook } from "./clientConfigs";
import { refusal } from "./refusal";

const HOME = "/home/me";

export function mockPlace(place: Partial<FoundPlace> = {}): FoundPlace {
  return {
    program: "claude-desktop",
    title: "Claude Desktop",
    path: `${HOME}/.config/Claude/claude_desktop_config.json`,
    line: 4,
    scope: "user",
    folder: null,
    name: "memory",
    disabled: false,
    ...place,
  };
}

export function mockFile(file: Partial<FoundFile> = {}): FoundFile {
  return {
    program: "claude-desktop",
    title: "Claude Desktop",
    path: `${HOME}/.config/Claude/claude_desktop_config.json`,
    scope: "user",
    folder: null,
    exists: true,
    servers: 1,
    error: null,
    handing: { adopted: [], connected: false, canUndo: false, then: "Quit Claude Desktop and start it again." },
    ...file,
  };
}

/** A found server. By default it runs `npx -y @modelcontextprotocol/server-NAME`. */
export function mockServer(name: string, server: Partial<FoundServer> = {}): FoundServer {
  const args = ["-y", `@modelcontextprotocol/server-${name}`];
  return {
    id: `id-${name}`,
    name,
    suggested: name,
    launch: { kind: "command", command: "npx", args, env: [], cwd: null },
    commandLine: ["npx", ...args].join(" "),
    container: null,
    places: [mockPlace({ name })],
    differs: [],
    state: { kind: "new" },
    inputs: [],
    autoApprove: [],
    disabled: false,
    notes: [],
    ...server,
  };
}

const ABSENT: readonly FoundFile[] = [
  mockFile({ exists: false, servers: 0 }),
  mockFile({ program: "cursor", title: "Cursor", path: `${HOME}/.cursor/mcp.json`, exists: false, servers: 0 }),
  mockFile({ program: "codex", title: "Codex", path: `${HOME}/.codex/config.toml`, exists: false, servers: 0 }),
];

interface Members {
  readonly has: (name: MemberName) => boolean;
  readonly add: (name: MemberName) => void;
}

export class MockFound {
  servers: FoundServer[] = [];
  files: FoundFile[] = [...ABSENT];
  folders: string[] = [];
  /** By server id, the failure of the server's import. */
  readonly refusing = new Map<string, Report>();
  /** A warning about the storage of secrets, returned with imports that have secrets. */
  warning: Report | null = null;
  readonly #tell: (event: HallEvent) => void;
  readonly #members: Members;

  constructor(tell: (event: HallEvent) => void, members: Members) {
    this.#tell = tell;
    this.#members = members;
  }

  /** The tool selections of programs that do not use all tools of a server. Tests change them. */
  choices: readonly ProgramChoice[] = [];
  /** The data about files that `MockClientConfigs` uses. */
  readonly book: FileBook = {
    adopted: (path) => this.#file(path)?.handing?.adopted ?? [],
    choices: (path) => this.choices.filter(({ server }) => this.#file(path)?.handing?.adopted.includes(server)),
    project: (path) => this.#file(path)?.folder ?? null,
    handed: (path, adopted, connected) => {
      const handed = (file: FoundFile): FoundFile =>
        file.path === path && file.handing !== null ? { ...file, handing: { ...file.handing, adopted: [...adopted], connected, canUndo: connected } } : file;
      this.change(this.servers, this.files.map(handed));
    },
  };

  #file(path: string): FoundFile | undefined {
    return this.files.find((file) => file.path === path);
  }

  /** Sets the found servers and files, and sends the event. */
  change(servers: FoundServer[], files = this.files): void {
    this.servers = servers;
    this.files = files;
    this.#tell({ kind: "found_changed", new: this.#all().new });
  }

  readonly handlers: Answers = {
    found_servers: () => Promise.resolve(this.#all()),
    look_for_servers: ({ folder }) => {
      if (!folder.startsWith("/")) throw refusal("project-unknown", `${folder} is not an absolute path.`, "Name a folder by its whole path.");
      this.folders = [...this.folders, folder];
      this.files = [...this.files, mockFile({ program: "cursor", title: "Cursor", path: `${folder}/.cursor/mcp.json`, scope: "project", folder, exists: false, servers: 0 })];
      return Promise.resolve(this.#all());
    },
    forget_found_folder: ({ folder }) => {
      this.folders = this.folders.filter((other) => other !== folder);
      this.files = this.files.filter((file) => file.folder !== folder);
      return Promise.resolve(this.#all());
    },
    adopt_servers: ({ servers }) => Promise.resolve({ each: servers.map(({ id, name, inputs }) => ({ id, end: this.#adopt(id, name, inputs.map((input) => input.id)) })) }),
  };

  #adopt(id: string, name: MemberName, given: readonly string[]): AdoptionEnd {
    const refused = this.#whyNot(id, name, given);
    if (refused) return { kind: "refused", report: refused };
    const secrets = this.servers.flatMap((server) => (server.id === id ? secretsOf(server) : []));
    this.#members.add(name);
    const server = this.servers.find((one) => one.id === id);
    const places = server?.places ?? [];
    const adopted = (file: FoundFile): FoundFile => {
      const names = places.flatMap((place) => (place.path === file.path ? [place.name] : []));
      return file.handing === null ? file : { ...file, handing: { ...file.handing, adopted: [...file.handing.adopted, ...names] } };
    };
    this.change(
      this.servers.map((one) => (one === server ? { ...one, state: { kind: "adopted", member: name } } : one)),
      this.files.map(adopted),
    );
    return { kind: "member", member: name, folder: `${HOME}/.local/share/guild-hall/guild-members/${name}`, secrets, warning: secrets.length > 0 ? this.warning : null };
  }

  #whyNot(id: string, name: MemberName, given: readonly string[]): Report | null {
    const server = this.servers.find((one) => one.id === id);
    if (!server) return refusal("found-server-unknown", "It is not in any file any more as it was shown.").report;
    if (this.#members.has(name)) return refusal("adoption-refused", `There is a member called ${name}.`).report;
    const missing = server.inputs.find((input) => input.required && input.default === null && !given.includes(input.id));
    if (missing) return refusal("adoption-refused", `It needs ${missing.id}.`).report;
    return this.refusing.get(id) ?? null;
  }

  #all(): FoundServers {
    const fresh = this.servers.filter(({ state }) => state.kind === "new").length;
    return { servers: this.servers, files: this.files, folders: this.folders, new: fresh };
  }
}

/** The names of the secrets that importing a server stores. */
function secretsOf({ launch, inputs }: FoundServer): string[] {
  const values = launch === null ? [] : launch.kind === "url" ? launch.headers : launch.env;
  return [...values, ...inputs.map(({ id, secret }) => ({ name: id, secret }))].flatMap(({ name, secret }) => (secret ? [name] : []));
}
