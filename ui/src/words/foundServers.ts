import { counted, number, plural } from "./format";

const servers = (count: number) => counted(count, { one: "server", other: "servers" });
const files = (count: number) => counted(count, { one: "file", other: "files" });
const programs = (count: number) => counted(count, { one: "program", other: "programs" });

/** What all files together have. */
interface FoundCounts {
  readonly servers: number;
  readonly programs: number;
  /** How many servers are no members. */
  readonly fresh: number;
  /** How many files were not read to the end. */
  readonly broken: number;
}

export const words = {
  found: ({ servers: all, programs: of, fresh, broken }: FoundCounts) =>
    `${counted(all, { one: "server", other: "servers" })} in ${programs(of)}, ${fresh === 0 ? "none is new" : `${number(fresh)} new`}${broken > 0 ? `, ${files(broken)} not read to the end` : ""}.`,

  staysCommand: "It stays a command. Its container may go on when the command is ended:",

  aspects: {
    address: "Address",
    header: (name: string) => `Header ${name}`,
    command: "Command",
    arguments: "Arguments",
    folder: "Folder",
    variable: (name: string) => `Variable ${name}`,
  },

  hasMembers: (names: readonly string[]) =>
    `has ${counted(names.length, { one: "server", other: "servers" })} that ${plural(names.length, { one: "is a member", other: "are members" })}: ${names.join(", ")}`,

  hasServers: servers,
};
