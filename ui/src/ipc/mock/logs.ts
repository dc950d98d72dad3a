/** Mocks the members' logs, the crash reports and the diagnostics file. */
import type { Bundled, CrashReport, LogFilter, LogLine } from "../bindings";
import type { Answers } from "../answers";

const BUNDLED: Bundled = {
  path: null,
  suggestedName: "guild-hall-202611210900.tar.gz",
  files: [
    { name: "contents.txt", what: "this list", bytes: 310, masked: 0 },
    { name: "state/members.json", what: "all members and their states", bytes: 5_120, masked: 0 },
    { name: "manifests/forge.json", what: "the manifest of forge", bytes: 402, masked: 2 },
    { name: "logs/guild-hall.log", what: "the end of Guild Hall's own log", bytes: 88_000, masked: 1 },
  ],
  leftOut: [],
};

export class MockLogs {
  /** The maximum number of lines that are searched for one page. */
  share = 5_000;
  /** The crash reports, newest first. */
  crashes: readonly CrashReport[] = [];
  /** The contents of the diagnostics file. */
  bundled = BUNDLED;
  readonly #lines = new Map<string, LogLine[]>();
  readonly #first: (member: string) => readonly string[];

  /** `first` returns the lines that a member wrote before the first request. It throws for unknown members. */
  constructor(first: (member: string) => readonly string[]) {
    this.#first = first;
  }

  of(member: string): LogLine[] {
    const first = this.#first(member);
    let lines = this.#lines.get(member);
    if (!lines) {
      lines = first.map((text, seq) => ({ seq, start: 1, atMs: Date.now() - 60_000 + seq * 40, text }));
      this.#lines.set(member, lines);
    }
    return lines;
  }

  /** Adds lines to a member's log. If `start` is true, they belong to a new start of the member. */
  write(member: string, texts: readonly string[], start = false): LogLine[] {
    const lines = this.of(member);
    const last = lines.at(-1);
    const number = Math.max(1, (last?.start ?? 1) + (start ? 1 : 0));
    const from = (last?.seq ?? -1) + 1;
    const added = texts.map((text, index) => ({ seq: from + index, start: number, atMs: Date.now(), text }));
    lines.push(...added);
    return added;
  }

  readonly handlers: Answers = {
    read_member_log: ({ member, before, filter, limit }) => {
      const all = this.of(member);
      const older = all.filter(({ seq }) => before === null || seq < before);
      const page: LogLine[] = [];
      let reached = older.length;
      while (reached > 0 && page.length < limit && older.length - reached < this.share) {
        reached -= 1;
        const line = older[reached];
        if (line && has(line, filter)) page.unshift(line);
      }
      return Promise.resolve({
        member,
        lines: page,
        before: reached > 0 ? (older[reached]?.seq ?? null) : null,
        searchedBytes: (all.length - reached) * 100,
        totalBytes: all.length * 100,
        folder: "/home/me/.local/share/guild-hall/logs",
        problem: null,
      });
    },
    save_member_log: ({ member, filter, path }) =>
      Promise.resolve({ path, lines: this.of(member).filter((line) => has(line, filter)).length }),
    crash_reports: () => Promise.resolve({ reports: [...this.crashes] }),
    dismiss_crash_reports: () => {
      this.crashes = [];
      return Promise.resolve({});
    },
    preview_bundle: () => Promise.resolve(this.bundled),
    write_bundle: ({ path }) => Promise.resolve({ ...this.bundled, path }),
  };
}

function has(line: LogLine, filter: LogFilter): boolean {
  const start = filter.start === null || filter.start === line.start;
  return start && line.text.toLowerCase().includes(filter.contains.toLowerCase());
}
