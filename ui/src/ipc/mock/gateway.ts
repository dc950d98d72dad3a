/** Mocks the gateway: its clients, profiles, policies, approvals and traffic. */
import type {
  AgentClient,
  Approval,
  DecideApproval,
  Endpoint,
  Exchange,
  GatewayState,
  HallEvent,
  Profile,
  Report,
} from "../bindings";
import type { Answers } from "../answers";
import { MockApprovals, type AskedApproval } from "./approvals";
import { MockClientConfigs } from "./clientConfigs";
import type { MockMember } from "./members";
import { MockPolicies, NO_RULES } from "./policies";
import { exportTeam } from "./team";
import { refusal } from "./refusal";

/** The port on which another program listens. */
export const TAKEN_PORT = 8_080;
const TRAFFIC_KEPT = 500;

export class MockGateway {
  state: GatewayState = {
    enabled: true,
    port: 19_999,
    address: "http://127.0.0.1:19999/mcp",
    error: null,
    tokensRequired: true,
    listing: "lazy",
    rules: NO_RULES,
    embeddings: null,
    profiles: [],
    clients: [],
    warnings: [],
  };
  readonly policies: MockPolicies;
  readonly configs: MockClientConfigs;

  readonly #tell: (event: HallEvent) => void;
  readonly #approvals: MockApprovals;
  #exchanges: Exchange[] = [];
  #count = 0;

  constructor(tell: (event: HallEvent) => void, members: () => readonly MockMember[]) {
    this.#tell = tell;
    this.policies = new MockPolicies({
      members,
      profile: (name) => this.#profile(name),
      rules: () => this.state.rules,
      keepRules: (rules) => {
        this.state = { ...this.state, rules };
      },
      keepProfile: (profile) => {
        this.state = { ...this.state, profiles: this.state.profiles.map((other) => (other.name === profile.name ? profile : other)) };
      },
      changed: () => this.change({}),
    });
    this.#approvals = new MockApprovals(tell, (member, tool) => this.policies.allow(member, tool));
    this.configs = new MockClientConfigs(
      (endpoint) => addressOf(this.state, endpoint),
      (name, endpoint) => this.#letIn(name, endpoint.kind === "all" ? null : [endpoint]).client,
    );
  }

  #letIn(name: string, endpoints: AgentClient["endpoints"]) {
    this.#count += 1;
    const token = `gh_${String(this.#count).padStart(8, "0")}f3a9c2d1b4e5`;
    const client = { id: `client-${this.#count}`, name, tokenEnd: token.slice(-4), createdAtMs: Date.now(), lastUsedMs: null, endpoints };
    this.change({ clients: [...this.state.clients, client] });
    return { client, token };
  }

  /** Changes the gateway's state, and sends the event. */
  change(changes: Partial<GatewayState>): GatewayState {
    this.state = { ...this.state, ...changes };
    this.#tell({ kind: "gateway_changed", gateway: this.state });
    return this.state;
  }

  /** Simulates a call that needs approval. Resolves with the decision, or with `null` if there is none. */
  askFor(asked: AskedApproval): Promise<DecideApproval | null> {
    return this.#approvals.ask(asked);
  }

  /** Simulates an agent that cancels its waiting call. */
  giveUp(id: string): void {
    this.#approvals.end(id);
  }

  get waiting(): readonly Approval[] {
    return this.#approvals.all;
  }

  /** Simulates requests of agents, all reported in one event. */
  see(exchanges: readonly (Partial<Exchange> & Pick<Exchange, "method">)[]): void {
    const seen = exchanges.map((exchange): Exchange => {
      this.#count += 1;
      return { ...PLAIN_EXCHANGE, seq: this.#count, atMs: Date.now(), ...exchange };
    });
    this.#exchanges = [...this.#exchanges, ...seen].slice(-TRAFFIC_KEPT);
    this.#tell({ kind: "traffic_seen", exchanges: seen });
  }

  readonly handlers = {
    gateway: () => Promise.resolve(this.state),
    change_gateway: ({ enabled, port, listing }) => {
      const { state } = this;
      const next = { ...state, enabled: enabled ?? state.enabled, port: port ?? state.port, listing: listing ?? state.listing };
      const taken = next.enabled && next.port === TAKEN_PORT;
      const address = next.enabled && !taken ? `http://127.0.0.1:${next.port}/mcp` : null;
      return Promise.resolve(this.change({ ...next, address, error: taken ? portTaken(next.port) : null }));
    },
    add_agent_client: ({ name, endpoints }) => Promise.resolve(this.#letIn(name, endpoints)),
    bind_agent_client: ({ client, endpoints }) =>
      Promise.resolve(this.change({ clients: this.state.clients.map((one) => (one.id === client ? { ...one, endpoints } : one)) })),
    revoke_agent_client: ({ client }) => {
      if (!this.state.clients.some(({ id }) => id === client)) throw refusal("client-unknown", "This client has been revoked already.");
      return Promise.resolve(this.change({ clients: this.state.clients.filter(({ id }) => id !== client) }));
    },
    save_profile: ({ profile, insteadOf }) => {
      this.#refuseProfile(profile);
      if (insteadOf !== null) this.#profile(insteadOf);
      const others = this.state.profiles.filter(({ name }) => name !== profile.name && name !== insteadOf);
      return Promise.resolve(this.change({ profiles: [...others, profile].sort((a, b) => (a.name < b.name ? -1 : 1)) }));
    },
    delete_profile: ({ profile }) => {
      this.#profile(profile);
      return Promise.resolve(this.change({ profiles: this.state.profiles.filter(({ name }) => name !== profile) }));
    },
    set_embeddings: ({ endpoint }) => Promise.resolve(this.change({ embeddings: endpoint })),
    test_embeddings: ({ endpoint }) => {
      const asked = endpoint ?? this.state.embeddings;
      if (asked?.url.includes(`:${TAKEN_PORT}`) !== false) {
        throw refusal("embeddings-failed", "The embeddings endpoint at 127.0.0.1:8080 returned no vectors: nothing answers there.", "Check that the endpoint runs and that its address is right: most end in /v1.");
      }
      return Promise.resolve({ dimensions: 384, durationMs: 12 });
    },
    confirm_read_only: ({ member, tool, confirmed }) => {
      this.policies.confirm(member, tool, confirmed);
      return Promise.resolve(this.change({}));
    },
    export_team: (request) => exportTeam(this.state.profiles, request),
    write_team_export: ({ export: request, folder }) =>
      exportTeam(this.state.profiles, request).then(({ files }) => ({ paths: files.map(({ path }) => `${folder}/${path}`) })),
    approvals: () => Promise.resolve({ approvals: this.#approvals.all }),
    decide_approval: (decision) => {
      if (!this.#approvals.decide(decision)) throw refusal("approval-ended", "This call waits for no decision any more.");
      return Promise.resolve({});
    },
    gateway_traffic: () => Promise.resolve({ exchanges: this.#exchanges }),
    client_configs: ({ endpoint }) => Promise.resolve({ clients: this.configs.all(endpoint) }),
    preview_client_config: (request) => Promise.resolve(this.configs.preview(request)),
    write_client_config: (request) => Promise.resolve(this.configs.write(request)),
    undo_client_config: (request) => Promise.resolve(this.configs.undo(request)),
  } satisfies Answers;

  #profile(name: string): Profile {
    const found = this.state.profiles.find((profile) => profile.name === name);
    if (!found) throw refusal("profile-unknown", `There is no profile called ${name}.`);
    return found;
  }

  #refuseProfile(profile: Profile): void {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(profile.name)) {
      throw refusal("profile-refused", `“${profile.name}” is no name: 1 to 64 of A-Z a-z 0-9 . _ -, beginning with a letter or digit.`);
    }
    const bare = profile.members.filter(({ withoutPrefix }) => withoutPrefix);
    if (bare.length > 1) {
      throw refusal("profile-refused", `${bare.map(({ member }) => member).join(" and ")} can't both be without prefix.`, "Give all but one of them its prefix.");
    }
  }
}

const PLAIN_EXCHANGE: Omit<Exchange, "seq" | "atMs" | "method"> = {
  client: "claude-code",
  endpoint: { kind: "all" },
  member: null,
  tool: null,
  durationUs: 84,
  requestBytes: 120,
  responseBytes: 2_048,
  error: null,
  dropped: [],
  request: "{}",
  response: "{}",
};

function addressOf({ port }: GatewayState, endpoint: Endpoint): string {
  const base = `http://127.0.0.1:${port}`;
  switch (endpoint.kind) {
    case "all":
      return `${base}/mcp`;
    case "member":
      return `${base}/members/${endpoint.member}/mcp`;
    case "profile":
      return `${base}/profiles/${endpoint.profile}/mcp`;
  }
}

function portTaken(port: number): Report {
  return {
    code: "gateway-port-taken",
    message: `Port ${port} is taken by another program.`,
    hint: "End that program, or give the gateway another port.",
    member: null,
  };
}
