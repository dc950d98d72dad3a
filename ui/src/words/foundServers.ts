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
  foundServers: "Found servers",
  whatTheyAre:
    "Other programs on this machine have these servers in their files. Nothing of them is started until you adopt it; then it is a member like any other, and starts. The files stay as they are, unless you let a program use Guild Hall instead.",
  otherFiles: "the files of other programs",
  nothingFound: "No server was found.",
  found: ({ servers: all, programs: of, fresh, broken }: FoundCounts) =>
    `${servers(all)} in ${programs(of)}, ${fresh === 0 ? "none is new" : `${number(fresh)} new`}${broken > 0 ? `, ${files(broken)} not read to the end` : ""}.`,
  nowhere:
    "No program has a server in any of the places below. A server that is added there shows up here by itself; a project's folder can be named below.",
  filter: "Filter by name, command, program or file",
  filterSample: "Name, command, program or file…",
  noneFits: "None has these words.",
  fitting: (shown: number, all: number) => `${number(shown)} of ${servers(all)}; what is ticked stays.`,
  states,
  sections,
  scopes,
  scopeIn: (scope: FoundScope, folder: string) => `${scopes[scope]}: ${folder}`,

  adoptOne: (server: string, of: string) => `Adopt ${server} of ${of}`,
  switchedOff: "switched off there",
  inPrograms: (names: string) => `in ${names}`,
  compareWith: (server: string, others: number) => `Compare ${server} with ${plural(others, { one: "another one", other: `${number(others)} others` })} of this name`,
  differsFrom: (others: number) => `Differs from ${plural(others, { one: "another one", other: `${number(others)} others` })}`,
  whereStands: (server: string) => `Where ${server} stands`,
  line: (at: number) => `line ${number(at)}`,
  calledAs: (name: string) => `as ${name}`,
  calledUnasked: (tools: readonly string[]) => `Called there without a question: ${tools.join(", ")}`,
  openMember: (member: string) => `Open ${member}`,

  isAt: "It is at:",
  wouldRun: "It would run:",
  headers: "Headers",
  environment: "Environment",
  secret: "secret",
  /** `{folder}` is a path. */
  inFolder: "in the folder {folder}",
  asContainer: "As a member it runs in this container, which is put away at its end:",
  containerParts: "Container",
  containerEnvironment: "Environment in the container",
  keptOutside: (names: readonly string[]) => `Not given to it: ${names.join(", ")}. The entry sets this for the engine alone, which hands it on to no container.`,
  mayBeContainer: "It becomes the member's container where your answers allow it, and a command otherwise:",
  whyOpen: "What your answers decide",
  staysCommand: "It stays a command. Its container may go on when the command is ended:",
  whyCommand: "What keeps it from being a member's container",
  commandKept: "The command stays as it is. Its container may go on when the command is ended.",
  keepCommand: "Keep the command as it is",
  whyContainer:
    "What an engine runs for a command goes on when the command is killed. The member's container has a name by which it is always put away; it has no capabilities and gets no new privileges. A server that needs those wants its command.",
  needsValues: (count: number) => plural(count, { one: "It needs a value from you.", other: `It needs ${number(count)} values from you.` }),

  aspects: {
    address: "Address",
    header: (name: string) => `Header ${name}`,
    command: "Command",
    arguments: "Arguments",
    folder: "Folder",
    variable: (name: string) => `Variable ${name}`,
  },
  nothingDiffers: "Nothing differs in what can be shown here; a secret does, or what can't be made out.",
  differencesOf: (server: string) => `What differs between those called ${server}`,
  onlyDifferences: "Only what differs is shown.",
  othersLeftOut: (count: number) => `${counted(count, { one: "other", other: "others" })} of this name ${plural(count, { one: "is", other: "are" })} left out.`,
  thisOne: "this one",
  none: "none",
  hidden: "hidden, may differ",

  needsOf: (server: string) => `What the member of ${server} needs`,
  memberName: "Name of the member",
  needed: "needed",
  chooseOne: "choose one…",
  asFileSays: (value: string) => `${value} (as its file says)`,
  isNeeded: "It is needed.",
  keptAsSecret: "It is kept as a secret.",
  mayBeEmpty: "It may be left empty.",

  ticking: "What is ticked",
  beingAdopted: "They are being adopted",
  nothingTicked: "Nothing is ticked",
  nothingTickedYet: "Nothing is ticked.",
  atMost: (count: number) => `At most ${servers(count)} at once`,
  toPutRight: (fields: number) => `${counted(fields, { one: "field", other: "fields" })} to be put right first.`,
  adopting: (count: number) => `Adopting ${servers(count)}…`,
  ticked: (count: number) => `${servers(count)} ticked.`,
  untickAll: "Untick all",
  allTicked: "All are ticked",
  tickAll: (count: number) => `Tick all (${number(count)})`,
  tickShown: (count: number) => `Tick all that are shown (${number(count)})`,
  adoptTicked: "Adopt what is ticked",
  adopt: (count: number) => `Adopt ${servers(count)}`,

  gone: (names: readonly string[]) =>
    `${names.join(", ")}: ${plural(names.length, { one: "its file has changed, so it is ticked no more.", other: "their files have changed, so they are ticked no more." })} Look at what would run now.`,
  /** Either may be none, but not both. */
  cameOfThem: (adopted: number, refused: number) =>
    `${[...(adopted > 0 ? [`${servers(adopted)} adopted`] : []), ...(refused > 0 ? [`${servers(refused)} refused`] : [])].join(", ")}.`,
  closeOutcome: "Close what came of it",
  refused: "refused",
  adopted: "adopted",
  /** `{adopted}` is `adopted`, `{server}` its name, `{folder}` a path. */
  adoptedIn: "{adopted} {server}, in {folder}",
  secretsKept: (names: readonly string[]) => `${plural(names.length, { one: "secret", other: "secrets" })} kept: ${names.join(", ")}`,

  canUseGuildHall: "Programs that can use Guild Hall instead",
  gatewayClosed: "The gateway does not listen now: a program that uses Guild Hall reaches no server until it does.",
  titleInFolder: (title: string, folder: string) => `${title} in ${folder}`,
  usesNow: (program: string) => `${program} uses Guild Hall.`,
  fileAsWas: (program: string) => `The file of ${program} is as it was.`,
  entriesBack: (program: string) => `${program} has its entries again. Changes made to the file since are kept.`,
  uses: "uses Guild Hall",
  handedOver: "was handed over",
  hasMembers: (names: readonly string[]) =>
    `has ${servers(names.length)} that ${plural(names.length, { one: "is a member", other: "are members" })}: ${names.join(", ")}`,
  giveBack: (program: string) => `Give ${program} its file back`,
  handOver: (program: string) => `Let ${program} use Guild Hall instead…`,

  whereLooked: "Where was looked",
  filesThere: (all: number, of: number, there: number) =>
    `${files(all)} of ${programs(of)}; ${there === 0 ? "none" : number(there)} of them ${plural(there, { one: "is", other: "are" })} there`,
  fileStates: { broken: "not read to the end", read: "read", absent: "not there" },
  hasServers: servers,
  lookElsewhere: "Look in another folder",
  /** `{ending}` is how its file is called. */
  projectFolder: "A project's folder, or a {ending} file",
  wholePath: "Its whole path",
  beingDone: "It is being done",
  nameFolder: "Name a folder first",
  lookThere: "Look there",
  chooseFolder: "Choose a folder…",
  chooseFile: "Choose a file…",
  namedFolders: "Folders that you named",
  lookNoMore: (folder: string) => `Look in ${folder} no more`,
  lookedIn: (folder: string) => `${folder} is looked in from now on.`,
  lookedInNoMore: (folder: string) => `${folder} is looked in no more.`,
  notReadToEnd: "Not read to the end",
};
