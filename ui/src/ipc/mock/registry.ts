/** Mocks an MCP registry. */
import type {
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
import type { Answers } from "../answers";
import { Refusal } from "../bridge";
import { refusal } from "./refusal";

export function mockSource(source: Partial<RegistrySource> = {}): RegistrySource {
  return { source: "https://registry.example", asOfMs: Date.now() - 60_000, unread: null, ...source };
}

/** The launch command of an installation option; `npx -y @example/NAME@1.0.0` by default. */
export function mockInstall(name: string, install: Partial<RegistryInstall> = {}): RegistryInstall {
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

export function mockWay(name: string, way: Partial<RegistryWay> = {}): RegistryWay {
  return { kind: "npm", name: `@example/${name}`, version: "1.0.0", packageRegistry: null, install: mockInstall(name), unusable: null, ...way };
}

export function mockListed(name: string, server: Partial<RegistryServer> = {}): RegistryServer {
  return {
    source: mockSource(),
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
    ways: [mockWay(name)],
    members: [],
    ...server,
  };
}

interface Members {
  readonly has: (name: MemberName) => boolean;
  readonly add: (name: MemberName) => void;
}

/** The number of servers per page of search results. */
const PAGE_ROWS = 50;

export class MockRegistry {
  source: RegistrySource = mockSource();
  /** The listed servers in all versions, newest version first. */
  listed: RegistryServer[] = [];
  leftOut: RegistryLeftOut[] = [];
  /** A promise that each search waits for. Tests replace it to delay searches or let them fail. */
  onSearch: (query: string) => Promise<void> = () => Promise.resolve();
  /** The failure of installations; `null` if they succeed. */
  refusing: Report | null = null;
  /** A promise that each installation waits for. Tests replace it to delay installations. */
  write: () => Promise<void> = () => Promise.resolve();
  /** The notes that an installation returns. */
  besides: Pick<InstalledRegistryServer, "warning" | "staysCommand"> = { warning: null, staysCommand: [] };
  readonly #members: Members;
  readonly #searches = new Map<string, AbortController>();

  constructor(members: Members) {
    this.#members = members;
  }

  list(servers: RegistryServer[]): void {
    this.listed = servers;
  }

  cancel(call: string): void {
    this.#searches.get(call)?.abort();
  }

  readonly handlers: Answers = {
    search_registry: async ({ query, cursor, call }) => {
      const abort = new AbortController();
      this.#searches.set(call, abort);
      const cancelled = new Promise<never>((_, end) => abort.signal.addEventListener("abort", () => end(refusal("call-cancelled", "The search was cancelled."))));
      try {
        await Promise.race([this.onSearch(query), cancelled]);
      } finally {
        this.#searches.delete(call);
      }
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const found = this.#names().filter((server) => {
        const text = `${server.server} ${server.title} ${server.description}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
      const from = Number(cursor ?? 0);
      const to = from + PAGE_ROWS;
      return {
        source: this.source,
        rows: found.slice(from, to).map(rowOf),
        next: to < found.length ? String(to) : null,
        leftOut: this.leftOut,
        leftOutCount: this.leftOut.length,
      };
    },
    registry_server: ({ server, version }) => {
      const found = this.listed.find((one) => one.server === server && (version === null || one.version === version));
      return found ? Promise.resolve({ ...found, source: this.source }) : Promise.reject(refusal("registry-unknown", `${this.source.source} does not list "${server}".`));
    },
    install_registry_server: async ({ server, version, way, member }) => {
      await this.write();
      const found = this.listed.find((one) => one.server === server && one.version === version);
      const install = found?.ways.find((one) => one.install?.id === way)?.install;
      if (!install) throw refusal("registry-unknown", "The server is not listed any more as it was shown.");
      if (this.refusing) throw new Refusal(this.refusing);
      if (this.#members.has(member)) throw refusal("adoption-refused", `A member named "${member}" already exists.`);
      this.#members.add(member);
      const secrets = install.asks.secrets.map((key) => `${member}/${key}`);
      return { member, folder: `/home/me/.local/share/guild-hall/guild-members/${member}`, secrets, ...this.besides };
    },
    // Checks only that required properties are present.
    check_answers: ({ schema, answers }) => {
      const { required = [] } = JSON.parse(schema) as { required?: string[] };
      const given = JSON.parse(answers) as Record<string, unknown>;
      const missing = required.filter((key) => given[key] === undefined || given[key] === "");
      return Promise.resolve({ errors: missing.map((key) => ({ pointer: `/${key}`, message: "is missing", keyword: "required" })), notes: [] });
    },
  };

  /** The newest version of each server. */
  #names(): RegistryServer[] {
    const seen = new Set<string>();
    return this.listed.filter(({ server }) => !seen.has(server) && seen.add(server));
  }
}

function rowOf({ server, title, description, version, standing, ways, members }: RegistryServer): RegistryRow {
  return { server, title, description, version, standing, kinds: [...new Set(ways.map(({ kind }) => kind))], members };
}

