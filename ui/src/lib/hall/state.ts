/**
 * The window's copy of the engine's state, and the reducer that applies events to it. All functions are pure.
 *
 * Each event carries the new state, so an event needs no further request. Only tool lists are too large for
 * events: when a list changes, its member's generation is incremented, and `Hall` loads the list again.
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

/** A running tool call of the user or of an agent. */
interface RunningCall {
  /** The revision of the event that reported the call's start. */
  revision: number;
  call: CallId;
  member: MemberName;
  tool: ToolName;
  progress: Progress | null;
}

/** The revision of the event that delivered a value; used in intersection with the value's type. */
interface Revised {
  readonly revision: number;
}

export interface HallState {
  /** Whether the first roster has arrived. */
  opened: boolean;
  /** The revision of the newest full roster. */
  revision: number;
  /**
   * For each member that changed or was removed after the newest full roster, the revision of the newest event.
   * The page pulls some events and the shell pushes others, so an older event can arrive after a newer one.
   */
  revisions: ReadonlyMap<MemberName, number>;
  membersDir: string;
  folderError: Report | null;
  /** All members, sorted by name. */
  members: readonly MemberView[];
  byName: ReadonlyMap<MemberName, MemberView>;
  /** A counter per member, incremented when the member's tool list changes. */
  generations: ReadonlyMap<MemberName, number>;
  running: ReadonlyMap<CallId, RunningCall>;
  /** The elicitations that wait for the user's answer, oldest first. */
  elicitations: ReadonlyMap<ElicitationId, Elicitation>;
  /** The newest rebuild-and-check round of each member in development. */
  rounds: ReadonlyMap<MemberName, DevRound & Revised>;
  /** The sign-in state of each member that sent one. */
  signIns: ReadonlyMap<MemberName, SignInView & Revised>;
  /** The warnings of this session, newest last. */
  warnings: readonly Report[];
}

/** The maximum number of warnings. The oldest are dropped. */
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

/**
 * The state after a full roster. Members that changed or were removed after the roster was created keep their newer
 * state.
 */
export function withRoster(state: HallState, roster: RosterView): HallState {
  if (roster.revision < state.revision) return state;
  const revisions = new Map([...state.revisions].filter(([, revision]) => revision > roster.revision));
  let { generations } = state;
  for (const member of roster.members) {
    const before = state.byName.get(member.name);
    // A `tools_updated` event may have been lost, so a list with a new `listedAtMs` counts as changed.
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
    // A `call_finished` event may have been lost. An older call is kept only if its member reports running calls.
    running: new Map(
      [...state.running].filter(
        ([, call]) =>
          call.revision > roster.revision || members.some(({ name, calls }) => name === call.member && calls > 0),
      ),
    ),
  };
}

/**
 * The state with all open elicitations, which are requested when their events may have been lost. `since` holds
 * the elicitation events that arrived during the request. They are applied after `open`.
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

/** The reducer: returns the state after an event. */
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
      // The stores that subscribe with `Hall.onEvents` handle the other events.
      return state;
  }
}

/** The state with `revision` recorded for a member; `null` if an event of the same or a newer revision was applied. */
function withRevision(state: HallState, member: MemberName, revision: number): HallState | null {
  const known = Math.max(state.revision, state.revisions.get(member) ?? 0);
  if (revision <= known) return null;
  return { ...state, revisions: new Map(state.revisions).set(member, revision) };
}

/**
 * Removes a member's entry, unless a later event delivered the entry: events of different kinds can arrive out of
 * order.
 */
function withoutOlder<V extends Revised>(all: ReadonlyMap<MemberName, V>, member: MemberName, revision: number): ReadonlyMap<MemberName, V> {
  const known = all.get(member);
  return known === undefined || known.revision > revision ? all : without(all, member);
}

function withMember(state: HallState, member: MemberView): HallState {
  const before = state.byName.get(member.name);
  // An event may change nothing, for example if a short call started and ended before the event was sent.
  if (before && sameView(before, member)) return state;
  const byName = new Map(state.byName).set(member.name, member);
  const members = before
    ? state.members.map((other) => (other.name === member.name ? member : other))
    : [...state.members, member].sort(byNameOrder);
  if (sameList(before, member)) return { ...state, members, byName };
  return { ...state, members, byName, generations: grown(state.generations, member.name) };
}

/** Compares views by their JSON, which works because the engine serializes all views with the same field order. */
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

/** Whether a member's status stays until a command or a failure, instead of being about to change by itself. */
export function isSettled(status: Status): boolean {
  return status !== "starting" && status !== "stopping" && status !== "backoff";
}

/** The groups of statuses that the status bar counts. */
export type MemberState = "ready" | "starting" | "failed";

/** The group of a status; `null` if members of that status are not counted. */
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
