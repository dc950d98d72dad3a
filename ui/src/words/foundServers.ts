import type { FoundScope, FoundState } from "../bridge/bindings";
import { counted, number, plural } from "./format";

const servers = (count: number) => counted(count, { one: "server", other: "servers" });
const files = (count: number) => counted(count, { one: "file", other: "files" });
const programs = (count: number) => counted(count, { one: "program", other: "programs" });

const states: Record<FoundState["kind"], string> = {
  new: "new",
  adopted: "a member",
  gateway: "Guild Hall itself",
  unusable: "can't be adopted",
};

const sections: Record<FoundState["kind"], string> = {
  new: "New",
  unusable: "Can't be adopted",
  adopted: "Members already",
  gateway: "Guild Hall's own entries",
};

const scopes: Record<FoundScope, string> = {
  user: "for the user",
  local: "for the user, in one project",
  project: "for a project",
  workspace: "for a workspace",
};

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
    `${servers(all)} in ${programs(of)}, ${fresh === 0 ? "none is new" : `${number(fresh)} new`}${broken > 0 ? `, ${files(broken)} not read to the end` : ""}.`,
  states,
  sections,
  scopes,
  scopeIn: (scope: FoundScope, folder: string) => `${scopes[scope]}: ${folder}`,

  line: (at: number) => `line ${number(at)}`,

  staysCommand: "It stays a command. Its container may go on when the command is ended:",

  aspects: {
    address: "Address",
    header: (name: string) => `Header ${name}`,
    command: "Command",
    arguments: "Arguments",
    folder: "Folder",
    variable: (name: string) => `Variable ${name}`,
  },

  gone: (names: readonly string[]) =>
    `${names.join(", ")}: ${plural(names.length, { one: "its file has changed, so it is ticked no more.", other: "their files have changed, so they are ticked no more." })} Look at what would run now.`,

  hasMembers: (names: readonly string[]) =>
    `has ${servers(names.length)} that ${plural(names.length, { one: "is a member", other: "are members" })}: ${names.join(", ")}`,

  hasServers: servers,
};
