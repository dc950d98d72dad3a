/** What a person brings in, in the fake hall: what is in it is what tests say. */
import type { AdoptionEnd, AdoptServer, Brought, BroughtServers, Commands, MemberName, Report } from "../bindings";
import { Refusal, type Drop } from "../bridge";
import { fakePlace, fakeServer } from "./found";

type OfAdding = "read_brought" | "adopt_brought";
type Handlers = { [K in OfAdding]: (request: Commands[K]["request"]) => Promise<Commands[K]["response"]> };

interface Members {
  readonly has: (name: MemberName) => boolean;
  readonly add: (name: MemberName) => void;
}

export class FakeAdding {
  /** What is in whatever is brought. */
  contents: BroughtServers = {
    servers: [fakeServer("memory", { places: [fakePlace({ program: "pasted", title: "Pasted text", path: "", line: 1, name: "memory" })] })],
    members: [],
    leftOut: [],
  };
  /** Why nothing of it can be read, where that is so. */
  trouble: Report | null = null;
  /** What was brought, in order. */
  readonly brought: Brought[] = [];
  readonly #dropped = new Set<(drop: Drop) => void>();
  readonly #members: Members;

  constructor(members: Members) {
    this.#members = members;
  }

  /** Has something held over the window, or dropped on it. */
  drop(drop: Drop): void {
    for (const handler of this.#dropped) handler(drop);
  }

  /** Hears of it, as the window does. */
  readonly listen = (handler: (drop: Drop) => void): (() => void) => {
    this.#dropped.add(handler);
    return () => this.#dropped.delete(handler);
  };

  /** Answers what is in what was brought; tests let it wait. */
  read = (): Promise<BroughtServers> => (this.trouble ? Promise.reject(new Refusal(this.trouble)) : Promise.resolve(this.contents));

  readonly handlers: Handlers = {
    read_brought: (brought) => {
      this.brought.push(brought);
      return this.read();
    },
    adopt_brought: ({ servers }) => Promise.resolve({ each: servers.map((server) => ({ id: server.id, end: this.#adopt(server) })) }),
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
    return { kind: "member", member: name, folder: `/home/me/.local/share/guild-hall/guild-members/${name}`, secrets: [], warning: null };
  }
}
