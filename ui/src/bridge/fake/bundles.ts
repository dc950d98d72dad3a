/** MCPB bundles, in the fake hall: what is in them is what tests say. */
import type { CallId, Commands, HallEvent, InstalledMcpb, McpbLook, MemberName, Report } from "../bindings";
import { Refusal } from "../bridge";

type OfBundles = "look_into_mcpb" | "install_mcpb";
type Handlers = { [K in OfBundles]: (request: Commands[K]["request"]) => Promise<Commands[K]["response"]> };

/** A bundle that asks for a key, unless it is said otherwise. */
export function fakeBundle(name: string, look: Partial<McpbLook> = {}): McpbLook {
  const args = ["${PLUGIN_DIR}/bundle-1b4f0e9851971998/server/index.js"];
  const asks = {
    schema: JSON.stringify({
      type: "object",
      properties: { api_key: { type: "string", title: "Key", minLength: 1, writeOnly: true }, place: { type: "string", default: "Oslo" } },
      required: ["api_key"],
      additionalProperties: false,
    }),
    secrets: ["api_key"],
  };
  return {
    path: `/home/me/Downloads/${name}.mcpb`,
    digest: "1b4f0e9851971998e732078544c96b36c3d01cedf7caa332359d6f1d83567014",
    bytes: 20_480,
    files: 12,
    unpacked: 3_145_728,
    about: {
      name,
      title: name,
      version: "1.0.0",
      description: `What ${name} is for.`,
      longDescription: "",
      author: "Someone",
      license: "MIT",
      links: [],
      privacyPolicies: [],
      runsOn: "node",
      runtimes: ["node >=16"],
      tools: [{ name: "forecast", description: "The weather" }],
      moreTools: false,
      prompts: [],
      morePrompts: false,
    },
    launch: { kind: "command", command: "node", args, env: [{ name: "KEY", value: "${input:api_key}", secret: false }], cwd: null },
    commandLine: `node '${args.join("")}'`,
    container: null,
    asks,
    unfit: null,
    suspicions: [],
    signed: false,
    notes: [],
    suggested: name,
    installed: [],
    ...look,
  };
}

interface Members {
  readonly has: (name: MemberName) => boolean;
  readonly add: (name: MemberName) => void;
}

export class FakeBundles {
  /** What is in whatever bundle is looked into. */
  contents: McpbLook = fakeBundle("weather");
  /** Why it can't be looked into, where that is so. */
  trouble: Report | null = null;
  /** What is said instead of installing. */
  refusing: Report | null = null;
  /** What is said of an install besides. */
  besides: Pick<InstalledMcpb, "warning" | "staysCommand"> = { warning: null, staysCommand: [] };
  /** How an install goes on; tests let it wait. */
  unpack: (tell: (done: number, of: number) => void) => Promise<void> = () => Promise.resolve();
  /** What was asked to be installed, in order. */
  readonly installed: Commands["install_mcpb"]["request"][] = [];
  readonly #tell: (event: HallEvent) => void;
  readonly #members: Members;
  readonly #calls: Map<CallId, AbortController>;

  constructor(tell: (event: HallEvent) => void, members: Members, calls: Map<CallId, AbortController>) {
    this.#tell = tell;
    this.#members = members;
    this.#calls = calls;
  }

  readonly handlers: Handlers = {
    look_into_mcpb: ({ path }) =>
      this.trouble ? Promise.reject(new Refusal(this.trouble)) : Promise.resolve({ ...this.contents, path }),
    install_mcpb: async (request) => {
      const { call, member, update } = request;
      this.installed.push(request);
      if (this.refusing) throw new Refusal(this.refusing);
      const ended = new AbortController();
      this.#calls.set(call, ended);
      const cancelled = new Promise<never>((_, reject) => {
        ended.signal.addEventListener("abort", () => reject(new Refusal(CANCELLED)));
      });
      try {
        await Promise.race([this.unpack((done, of) => this.#tell({ kind: "unpacking", call, done, of })), cancelled]);
      } finally {
        this.#calls.delete(call);
      }
      if (!update && !this.#members.has(member)) this.#members.add(member);
      const before = this.contents.installed.find((one) => one.member === member);
      return {
        member,
        folder: `/home/me/.local/share/guild-hall/guild-members/${member}`,
        replaced: before?.version ?? null,
        secrets: this.contents.asks.secrets.map((key) => `${member}/${key}`),
        ...this.besides,
      };
    },
  };
}

const CANCELLED: Report = { code: "call-cancelled", message: "The install was cancelled. Nothing was written.", hint: "", member: null };
