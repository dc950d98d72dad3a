/** Mocks the commands of the Add member dialog that read pasted or dropped input and create members. */
import type { AdoptionEnd, AdoptServer, CreateMember, CreatedMember, Brought, BroughtServers, MemberName, MemberTemplate, Report } from "../bindings";
import type { Answers } from "../answers";
import { Refusal } from "../bridge";
import { mockPlace, mockServer } from "./found";
import { refusal } from "./refusal";

const MEMBERS_DIR = "/home/me/.local/share/guild-hall/guild-members";

/** The member templates, the same as in the documentation. */
export const BEGINNINGS: readonly MemberTemplate[] = [
  {
    from: "python",
    files: ["plugin.json", "README.md", "requirements.txt", "server.py"],
    command: "./.venv/bin/python server.py",
    setUp: ["python3 -m venv .venv", ".venv/bin/pip install -r requirements.txt"],
    build: null,
  },
  {
    from: "typescript",
    files: ["plugin.json", "README.md", "package.json", "server.ts", "tsconfig.json"],
    command: "node build/server.js",
    setUp: ["npm install", "npm run build"],
    build: "npm run --silent build",
  },
  {
    from: "rust",
    files: ["plugin.json", "README.md", "Cargo.toml", "Cargo.lock", "src/main.rs"],
    command: "./target/release/words",
    setUp: ["cargo build --release"],
    build: "cargo build --release",
  },
  { from: "shell", files: ["plugin.json", "README.md", "server.sh"], command: "bash server.sh", setUp: [], build: null },
];

interface Members {
  readonly has: (name: MemberName) => boolean;
  readonly add: (name: MemberName) => void;
}

export class MockAdding {
  /** The servers that are found in any input. */
  contents: BroughtServers = {
    servers: [mockServer("memory", { places: [mockPlace({ program: "pasted", title: "Pasted text", path: "", line: 1, name: "memory" })] })],
    members: [],
    leftOut: [],
  };
  /** The failure of reading the input; `null` if reading succeeds. */
  trouble: Report | null = null;
  /** The received inputs, in order. */
  readonly brought: Brought[] = [];
  readonly #members: Members;

  constructor(members: Members) {
    this.#members = members;
  }

  /** Returns the servers in the input. Tests replace it to delay the answer. */
  read = (): Promise<BroughtServers> => (this.trouble ? Promise.reject(new Refusal(this.trouble)) : Promise.resolve(this.contents));

  /** Creates a member from a template. Tests replace it to simulate failures. */
  begin = ({ member, from }: CreateMember): Promise<CreatedMember> => {
    const folder = `${MEMBERS_DIR}/${member}`;
    if (this.#members.has(member)) {
      return Promise.reject(refusal("duplicate-name", `There is ${folder} already.`, "Choose another name; nothing was written."));
    }
    this.#members.add(member);
    return Promise.resolve({ member, folder, setUp: BEGINNINGS.find((one) => one.from === from)?.setUp ?? [] });
  };

  readonly handlers: Answers = {
    read_brought: (brought) => {
      this.brought.push(brought);
      return this.read();
    },
    adopt_brought: ({ servers }) => Promise.resolve({ each: servers.map((server) => ({ id: server.id, end: this.#adopt(server) })) }),
    beginnings: () => Promise.resolve({ beginnings: [...BEGINNINGS] }),
    begin_member: (request) => this.begin(request),
  };

  #adopt({ id, name }: AdoptServer): AdoptionEnd {
    if (this.#members.has(name)) {
      const report: Report = { code: "adoption-refused", message: `There is a member called ${name}.`, hint: "Give another name.", member: null };
      return { kind: "refused", report };
    }
    this.#members.add(name);
    const servers = this.contents.servers.map((server) =>
      server.id === id ? { ...server, state: { kind: "adopted" as const, member: name } } : server,
    );
    this.contents = { ...this.contents, servers };
    return { kind: "member", member: name, folder: `${MEMBERS_DIR}/${name}`, secrets: [], warning: null };
  }
}
