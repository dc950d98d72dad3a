import { counted, number } from "./format";

const inFile = (path: string | null) => (path === null ? "" : ` in ${path}`);

export const words = {
  howItGoes:
    "Paste what a server's page shows: JSON, TOML or YAML for any program, a command, or an address. A file with it can be dropped on the window. Nothing of it is started until you have seen what it would run, and adopt it.",
  nothingYet: "Nothing was brought yet.",
  brought: "what was brought",
  nothingRead: (path: string | null) => `Nothing could be read${inFile(path)}.`,
  reading: (path: string | null) => `Reading${inFile(path)}…`,
  /** How many servers there are, and how many of them are no members. */
  found: (all: number, fresh: number, path: string | null) =>
    `${counted(all, { one: "server", other: "servers" })}${inFile(path)}${fresh === all ? "" : fresh === 0 ? ", none is new" : `, ${number(fresh)} new`}.`,
  bringIn: "Bring servers in",
  whatPageShows: "What the server's page shows",
  showWhatRuns: "Show what it would run",
  chooseFile: "Choose a file…",
  clear: "Clear",
  serversBrought: "Servers in what was brought",
};
