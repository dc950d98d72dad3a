import type { RegistryStanding } from "../bridge/bindings";
import { counted, number } from "./format";

const servers = (count: number) => counted(count, { one: "server", other: "servers" });

const standings: Record<RegistryStanding, string> = { active: "active", deprecated: "deprecated", deleted: "deleted" };

/** What a way to run a server is; of a kind that is not among them its own word is shown. */
const kinds: Record<string, string> = {
  npm: "npm package",
  pypi: "Python package",
  oci: "container image",
  nuget: "NuGet package",
  mcpb: "bundle",
  remote: "runs elsewhere",
};

export const words = {
  theSources: "the sources",
  whatTheyAre:
    "A registry lists MCP servers in the format of the official one: at an address, or in a file. None is named yet. Nothing is fetched from an address before you name it, and nothing that it lists runs before you have reviewed it.",
  sources: "Sources",
  source: "Source",
  fileAbsent: "The file is not there.",
  notRead: "It was not read yet.",
  fileChanged: (ago: string) => `changed ${ago}`,
  fileChangedWith: (count: number, ago: string) => `${servers(count)}, changed ${ago}`,
  read: (ago: string) => `read ${ago}`,
  readWith: (count: number, ago: string) => `${servers(count)}, read ${ago}`,
  beingRead: "A source is being read",
  reading: (source: string) => `Reading ${source}…`,
  readIt: "Read it",
  readChanges: "Read what changed",
  readAll: "Read all anew",
  cancel: "Cancel",
  addSource: "Add a source…",
  remove: "Remove…",
  removeSource: "Remove the source",
  forgetQuestion: (source: string) => `Forget ${source} and what was read of it? Members that were installed from it stay.`,
  removeIt: "Remove it",
  keepIt: "Keep it",
  beingDone: "It is being done",
  isNoSource: (source: string) => `${source} is no source any more.`,
  isSource: (source: string) => `${source} is a source now.`,
  addForm: "Add a source",
  addressOrFile: "An address, or the whole path of a file",
  addressSample: "https://…",
  nameFirst: "Name a source first",
  add: "Add",
  chooseFile: "Choose a file…",
  /** `{scheme}` is how an address begins. */
  readNow: "An address is read now, and after that only when you say so. It begins with {scheme}.",

  listedServers: "Listed servers",
  search: "Search by name, title or description",
  searchSample: "Name, title or description…",
  noneFits: "None has these words.",
  servers,
  listed: "what it lists",
  readFirst: "Nothing is known of it yet: read it first.",
  rowNotRead: "Not read yet",
  leftOut: (count: number) => `${counted(count, { one: "entry", other: "entries" })} left out`,
  entry: (at: number) => `Entry ${at}`,
  andMore: (count: number) => `and ${number(count)} more`,
  newerListed: "a newer one is listed",
  installedAs: (members: string) => `installed as ${members}`,

  standings,
  server: "Server",
  chooseServer: "Choose a server to see what it would run.",
  closeServer: "Close the server",
  version: "Version",
  versionOf: (version: string) => `Version ${version}`,
  published: (at: string) => `published ${at}`,
  takenOut: "It was taken out of the registry.",
  advisedAgainst: "Its publisher advises against it.",
  website: "Page",
  repository: "Source",
  /** `version` is empty where it is not known. */
  installedFromHere: (member: string, version: string, newer: boolean) =>
    `The member ${member} was installed from here${version === "" ? "" : `, version ${version}`}${newer ? "; a newer one is listed" : ""}.`,
  openMember: (member: string) => `Open ${member}`,

  kinds,
  noWay: "It lists no way to run it.",
  ways: "Ways to run it",
  notInstallable: "can't be installed",
  writesManifestOnly: "Installing writes its manifest. It starts when you have accepted what it runs, on the page that follows.",
};
