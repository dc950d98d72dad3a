/** What MCP registries list, in the fake hall. */
import type {
  Commands,
  HallEvent,
  InstalledRegistryServer,
  MemberName,
  RegistryInstall,
  RegistryLeftOut,
  RegistryRow,
  RegistryServer,
  RegistrySource,
  RegistryWay,
  Report,
} from "../bindings";
import { Refusal } from "../bridge";

type OfRegistry =
  | "registry_sources"
  | "add_registry_source"
  | "remove_registry_source"
  | "read_registry"
  | "search_registry"
  | "registry_server"
  | "install_registry_server"
  | "check_answers";
type Handlers = { [K in OfRegistry]: (request: Commands[K]["request"]) => Promise<Commands[K]["response"]> };

export function fakeSource(source: Partial<RegistrySource> = {}): RegistrySource {
  return { source: "https://registry.example", isFile: false, asOfMs: Date.now() - 3 * 86_400_000, servers: null, ...source };
}

/** What one way would run: `npx -y @example/NAME@1.0.0`, unless it is said otherwise. */
export function fakeInstall(name: string, install: Partial<RegistryInstall> = {}): RegistryInstall {
  const args = ["-y", `@example/${name}@1.0.0`];
  return {
    id: `way-${name}`,
    launch: { kind: "command", command: "npx", args, env: [], cwd: null },
    commandLine: ["npx", ...args].join(" "),
    container: null,
    asks: { schema: JSON.stringify({ type: "object", properties: {}, required: [], additionalProperties: false }), secrets: [] },
    notes: [],
    ...install,
  };
}

export function fakeWay(name: string, way: Partial<RegistryWay> = {}): RegistryWay {
  return { kind: "npm", name: `@example/${name}`, version: "1.0.0", packageRegistry: null, install: fakeInstall(name), unusable: null, ...way };
}

export function fakeListed(name: string, server: Partial<RegistryServer> = {}): RegistryServer {
  return {
    server: `com.example/${name}`,
    title: "",
    description: `What ${name} is for.`,
    version: "1.0.0",
    versions: ["1.0.0"],
    standing: "active",
    standingMessage: "",
    publishedAt: "2026-10-01T10:00:00Z",
    repository: null,
    website: null,
    suggested: name,
    ways: [fakeWay(name)],
    members: [],
    ...server,
  };
}

interface Members {
  readonly has: (name: MemberName) => boolean;
  readonly add: (name: MemberName) => void;
}

export class FakeRegistry {
  sources: RegistrySource[] = [];
  /** What each source lists, in all its versions, the newest first. */
  readonly listed = new Map<string, RegistryServer[]>();
  leftOut: RegistryLeftOut[] = [];
  /** What reading a source brings; without it, what is listed stays. */
  onRead: (source: string, progress: (says: string) => void, cancelled: AbortSignal) => Promise<RegistryServer[] | null> = () => Promise.resolve(null);
  /** What is said instead of installing. */
  refusing: Report | null = null;
  /** How an install goes on; tests let it wait. */
  write: () => Promise<void> = () => Promise.resolve();
  /** What is said of an install besides. */
  besides: Pick<InstalledRegistryServer, "warning" | "staysCommand"> = { warning: null, staysCommand: [] };
  readonly #tell: (event: HallEvent) => void;
  readonly #members: Members;
  readonly #reading = new Map<string, AbortController>();

  constructor(tell: (event: HallEvent) => void, members: Members) {
    this.#tell = tell;
    this.#members = members;
  }

  /** Names a source that lists these. */
  list(servers: RegistryServer[], source = fakeSource()): void {
    this.listed.set(source.source, servers);
    this.sources = [...this.sources, { ...source, servers: source.asOfMs === null ? null : new Set(servers.map(({ server }) => server)).size }];
  }

  /** Ends a reading; whether there was one of this id. */
  cancel(call: string): boolean {
    const reading = this.#reading.get(call);
    reading?.abort();
    return reading !== undefined;
  }

  readonly handlers: Handlers = {
    registry_sources: () => Promise.resolve({ sources: this.sources }),
    add_registry_source: ({ source }) => {
      const isFile = source.startsWith("/");
      if (!isFile && !source.startsWith("https://")) {
        return Promise.reject(refusal("registry-source-refused", `"${source}" is no source: it is read over https.`));
      }
      if (!this.sources.some((known) => known.source === source)) this.sources = [...this.sources, fakeSource({ source, isFile, asOfMs: isFile ? Date.now() : null })];
      return Promise.resolve({ sources: this.sources });
    },
    remove_registry_source: ({ source }) => {
      this.sources = this.sources.filter((known) => known.source !== source);
      this.listed.delete(source);
      return Promise.resolve({ sources: this.sources });
    },
    read_registry: async ({ source, call }) => {
      const abort = new AbortController();
      this.#reading.set(call, abort);
      const cancelled = new Promise<never>((_, end) => abort.signal.addEventListener("abort", () => end(refusal("call-cancelled", "The reading was ended."))));
      const says = (message: string) => this.#tell({ kind: "call_progress", call, progress: { progress: 1, total: null, message } });
      try {
        const servers = await Promise.race([this.onRead(source, says, abort.signal), cancelled]);
        if (servers) this.listed.set(source, servers);
      } finally {
        this.#reading.delete(call);
      }
      this.sources = this.sources.map((known) =>
        known.source === source ? { ...known, asOfMs: Date.now(), servers: this.#names(source).length } : known,
      );
      return this.#source(source);
    },
    search_registry: ({ source, query, offset, limit }) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const found = this.#names(source).filter((server) => {
        const text = `${server.server} ${server.title} ${server.description}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
      return Promise.resolve({
        source: this.#source(source),
        total: found.length,
        rows: found.slice(offset, offset + limit).map(rowOf),
        leftOut: this.leftOut,
        leftOutCount: this.leftOut.length,
      });
    },
    registry_server: ({ source, server, version }) => {
      const found = (this.listed.get(source) ?? []).find((one) => one.server === server && (version === null || one.version === version));
      return found ? Promise.resolve(found) : Promise.reject(refusal("registry-unknown", `${source} does not list "${server}".`));
    },
    install_registry_server: async ({ source, server, version, way, member }) => {
      await this.write();
      const found = this.listed.get(source)?.find((one) => one.server === server && one.version === version);
      const install = found?.ways.find((one) => one.install?.id === way)?.install;
      if (!install) throw refusal("registry-unknown", "The server is not listed any more as it was shown.");
      if (this.refusing) throw new Refusal(this.refusing);
      if (this.#members.has(member)) throw refusal("adoption-refused", `There is a member "${member}" already.`);
      this.#members.add(member);
      const secrets = install.asks.secrets.map((key) => `${member}/${key}`);
      return { member, folder: `/home/me/.local/share/guild-hall/guild-members/${member}`, secrets, ...this.besides };
    },
    // Of a schema, what is required is looked at.
    check_answers: ({ schema, answers }) => {
      const { required = [] } = JSON.parse(schema) as { required?: string[] };
      const given = JSON.parse(answers) as Record<string, unknown>;
      const missing = required.filter((key) => given[key] === undefined || given[key] === "");
      return Promise.resolve({ errors: missing.map((key) => ({ pointer: `/${key}`, message: "is missing", keyword: "required" })), notes: [] });
    },
  };

  #source(source: string): RegistrySource {
    const known = this.sources.find((one) => one.source === source);
    if (!known) throw refusal("registry-unknown", `"${source}" is none of the sources.`);
    return known;
  }

  /** Each server once, in its newest version. */
  #names(source: string): RegistryServer[] {
    const seen = new Set<string>();
    return (this.listed.get(source) ?? []).filter(({ server }) => !seen.has(server) && seen.add(server));
  }
}

function rowOf({ server, title, description, version, standing, ways, members }: RegistryServer): RegistryRow {
  return { server, title, description, version, standing, kinds: [...new Set(ways.map(({ kind }) => kind))], members };
}

function refusal(code: Report["code"], message: string): Refusal {
  return new Refusal({ code, message, hint: "", member: null });
}

