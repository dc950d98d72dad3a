/**
 * The window's state of the hall, and its changes by events. Pure.
 *
 * Each event carries the new state, so nothing is asked again after one. Tool lists are the one
 * thing too large for that: a list's generation grows, and its readers load it again.
 */
import type {
  CallId,
  DevRound,
  Elicitation,
  ElicitationId,
  Envelope,
  HallEvent,
  MemberName,
  MemberView,
  Progress,
  Report,
  RosterView,
  SignInView,
  Status,
  ToolName,
} from "../../ipc/bindings";
import { without } from "../maps";

/** A running call of a person or an agent. */
interface RunningCall {
  /** The revision of its start. */
  revision: number;
  call: CallId;
  member: MemberName;
  tool: ToolName;
  progress: Progress | null;
}

/** The revision of the event that something came with. */
interface Revised {
  readonly revision: number;
}

export interface HallState {
  /** Whether any roster was seen yet. */
  opened: boolean;
  /** The revision of the newest whole roster. */
  revision: number;
  /**
   * The revision of each member that changed or left after that roster. Events come by two ways, so that an older
   * one may come after a newer one.
   */
  revisions: ReadonlyMap<MemberName, number>;
  membersDir: string;
  folderError: Report | null;
  /** Sorted by name. */
  members: readonly MemberView[];
  byName: ReadonlyMap<MemberName, MemberView>;
  /** Grows when a member's tool list has changed. */
  generations: ReadonlyMap<MemberName, number>;
  running: ReadonlyMap<CallId, RunningCall>;
  /** The questions of servers that wait for a person, oldest first. */
  elicitations: ReadonlyMap<ElicitationId, Elicitation>;
  /** The newest round of each member in development. */
  rounds: ReadonlyMap<MemberName, DevRound & Revised>;
  /** The sign-in state of each member that sent one. */
  signIns: ReadonlyMap<MemberName, SignInView & Revised>;
  /** The newest last. */
  warnings: readonly Report[];
}

/** More warnings than these are dropped, oldest first. */
export const WARNINGS_MAX = 100;

export const nothingYet: HallState = {
  opened: false,
  revision: 0,
  revisions: new Map(),
  membersDir: "",
  folderError: null,
  members: [],
  byName: new Map(),
  generations: new Map(),
  running: new Map(),
  elicitations: new Map(),
  rounds: new Map(),
  signIns: new Map(),
  warnings: [],
};

/** The state after a whole roster. Members that changed or left after it stay unchanged. */
export function withRoster(state: HallState, roster: RosterView): HallState {
  if (roster.revision < state.revision) return state;
  const revisions = new Map([...state.revisions].filter(([, revision]) => revision > roster.revision));
  let { generations } = state;
  for (const member of roster.members) {
    const before = state.byName.get(member.name);
    // A `tools_updated` may have been missed: a list that was read again counts as another one.
    if (!sameList(before, member) || before?.listedAtMs !== member.listedAtMs) generations = grown(generations, member.name);
  }
  const newer = state.members.filter(({ name }) => revisions.has(name));
  const members = [...roster.members.filter(({ name }) => !revisions.has(name)), ...newer].sort(byNameOrder);
  return {
    ...state,
    opened: true,
    revision: roster.revision,
    revisions,
    membersDir: roster.membersDir,
    folderError: roster.error,
    members,
    byName: new Map(members.map((member) => [member.name, member])),
    generations,
    // An end may have been missed: a call before the roster is kept only where its member counts calls.
    running: new Map(
      [...state.running].filter(
        ([, call]) =>
          call.revision > roster.revision || members.some(({ name, calls }) => name === call.member && calls > 0),
      ),
    ),
  };
}

/**
 * The state after all open elicitations were read; a whole roster may stand for events about them.
 * `since` came while they were read, and is put on top.
 */
export function withElicitations(
  state: HallState,
  open: readonly Elicitation[],
  since: readonly HallEvent[] = [],
): HallState {
  const elicitations = new Map(open.map((elicitation) => [elicitation.id, elicitation]));
  for (const event of since) {
    if (event.kind === "elicitation_asked") elicitations.set(event.elicitation.id, event.elicitation);
    else if (event.kind === "elicitation_ended") elicitations.delete(event.id);
  }
  if (elicitations.size === 0 && state.elicitations.size === 0) return state;
  return { ...state, elicitations };
}

/** The state after one event. */
export function reduce(state: HallState, { revision, event }: Envelope): HallState {
  switch (event.kind) {
    case "roster":
      return withRoster(state, event.roster);
    case "member_added":
    case "member_changed": {
      const newest = withRevision(state, event.member.name, revision);
      return newest ? withMember(newest, event.member) : state;
    }
    case "member_removed": {
      const newest = withRevision(state, event.member, revision);
      if (!newest) return state;
      return {
        ...newest,
        byName: without(state.byName, event.member),
        generations: grown(state.generations, event.member),
        rounds: withoutOlder(state.rounds, event.member, revision),
        signIns: withoutOlder(state.signIns, event.member, revision),
        members: state.members.filter((member) => member.name !== event.member),
      };
    }
    case "tools_updated":
      return { ...state, generations: grown(state.generations, event.member) };
    case "call_started": {
      const { call, member, tool } = event;
      return { ...state, running: new Map(state.running).set(call, { revision, call, member, tool, progress: null }) };
    }
    case "call_progress": {
      const call = state.running.get(event.call);
      if (!call) return state;
      return { ...state, running: new Map(state.running).set(event.call, { ...call, progress: event.progress }) };
    }
    case "call_finished":
      return state.running.has(event.call) ? { ...state, running: without(state.running, event.call) } : state;
    case "elicitation_asked":
      return { ...state, elicitations: new Map(state.elicitations).set(event.elicitation.id, event.elicitation) };
    case "elicitation_ended":
      return state.elicitations.has(event.id) ? { ...state, elicitations: without(state.elicitations, event.id) } : state;
    case "dev_round":
      return { ...state, rounds: new Map(state.rounds).set(event.round.member, { ...event.round, revision }) };
    case "sign_in_changed":
      return { ...state, signIns: new Map(state.signIns).set(event.signIn.member, { ...event.signIn, revision }) };
    case "warning":
      return { ...state, warnings: [...state.warnings, event.report].slice(-WARNINGS_MAX) };
    default:
      // Other events go to their listeners: agents, resources, settings, updates, history and log lines.
      return state;
  }
}

/** The state that knows a member by `revision`; `null` where it knows a newer one. */
function withRevision(state: HallState, member: MemberName, revision: number): HallState | null {
  const known = Math.max(state.revision, state.revisions.get(member) ?? 0);
  if (revision <= known) return null;
  return { ...state, revisions: new Map(state.revisions).set(member, revision) };
}

/** Removes a member's entry, unless it came with a later event: events of different names may overtake each other. */
function withoutOlder<V extends Revised>(all: ReadonlyMap<MemberName, V>, member: MemberName, revision: number): ReadonlyMap<MemberName, V> {
  const known = all.get(member);
  return known === undefined || known.revision > revision ? all : without(all, member);
}

function withMember(state: HallState, member: MemberView): HallState {
  const before = state.byName.get(member.name);
  // A call that was over at once has left everything as it was.
  if (before && sameView(before, member)) return state;
  const byName = new Map(state.byName).set(member.name, member);
  const members = before
    ? state.members.map((other) => (other.name === member.name ? member : other))
    : [...state.members, member].sort(byNameOrder);
  if (sameList(before, member)) return { ...state, members, byName };
  return { ...state, members, byName, generations: grown(state.generations, member.name) };
}

/** Both come from the same program, which writes the fields in one order. */
function sameView(before: MemberView, after: MemberView): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function sameList(before: MemberView | undefined, after: MemberView): boolean {
  return (
    before?.tools === after.tools &&
    (before.freshness === "outdated") === (after.freshness === "outdated")
  );
}

function grown(generations: HallState["generations"], member: MemberName): HallState["generations"] {
  return new Map(generations).set(member, (generations.get(member) ?? 0) + 1);
}

function byNameOrder(a: MemberView, b: MemberView): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** Whether nothing more happens by itself with a member: it is up, or down for good. */
export function isSettled(status: Status): boolean {
  return status !== "starting" && status !== "stopping" && status !== "backoff";
}

/** The states that the window counts. */
export type MemberState = "ready" | "starting" | "failed";

/** The counted state of a status; `null` where members of that status are not counted. */
export function stateOf(status: Status): MemberState | null {
  switch (status) {
    case "ready":
    case "starting":
      return status;
    case "error":
    case "backoff":
    case "crash-loop":
      return "failed";
    default:
      return null;
  }
}

export function countMembers(members: readonly MemberView[]): Record<MemberState, number> {
  const counts = { ready: 0, starting: 0, failed: 0 };
  for (const { status } of members) {
    const state = stateOf(status);
    if (state) counts[state] += 1;
  }
  return counts;
}
