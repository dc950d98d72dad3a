/**
 * The selection of servers to import: the name and the input values of each future member, and the outcome of the
 * import.
 */
import type { Adopted, AdoptionEnd, AdoptServer, FoundId, FoundInput, FoundServer, GivenInput, MemberName, MemberView, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { Store } from "../../../lib/store";

/** The maximum number of servers in one import. The engine has the same limit. */
export const IMPORTED_MAX = 1_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const NAME_MAX = 64;

/** The import settings of a selected server. */
export interface Choice {
  /** The server's name in the configuration file. */
  readonly called: string;
  /** The name of the future member. */
  readonly name: MemberName;
  /** Whether the user changed the name. */
  readonly renamed: boolean;
  /** Whether a command that runs a container is imported unchanged instead of as a container. */
  readonly keepCommand: boolean;
}

/** The outcome of importing one server. */
export interface ImportOutcome {
  readonly id: FoundId;
  readonly called: string;
  readonly end: AdoptionEnd;
}

export interface SelectionState {
  readonly chosen: ReadonlyMap<FoundId, Choice>;
  /** The keys of required fields that were empty at the last check; see `fieldKey`. */
  readonly missing: ReadonlySet<string>;
  readonly busy: boolean;
  /** The outcomes of the last import. */
  readonly ended: readonly ImportOutcome[];
  /** The error if the import failed as a whole. */
  readonly trouble: Report | null;
  /** The names of servers that were deselected because their file changed or no longer has them. */
  readonly gone: readonly string[];
}

const NOTHING: SelectionState = { chosen: new Map(), missing: new Set(), busy: false, ended: [], trouble: null, gone: [] };

export function fieldKey(id: FoundId, input: string): string {
  return `${id} ${input}`;
}

/** Names are compared in lower case, because some file systems ignore case. */
const folded = (name: MemberName) => name.toLowerCase();

/** The validation errors of the future members' names. Valid names have no entry. */
export function wrongNames(chosen: ReadonlyMap<FoundId, Pick<Choice, "name">>, members: readonly MemberView[]): ReadonlyMap<FoundId, string> {
  const taken = new Set(members.map(({ name }) => folded(name)));
  const times = new Map<MemberName, number>();
  for (const { name } of chosen.values()) times.set(folded(name), (times.get(folded(name)) ?? 0) + 1);
  const wrong = (name: MemberName): string | null => {
    if (name === "") return "Enter a name.";
    if (!NAME.test(name)) return "Use 1 to 64 letters, digits, dots, hyphens and underscores. Start with a letter or digit.";
    if (taken.has(folded(name))) return `A member named ${name} already exists.`;
    return times.get(folded(name)) === 1 ? null : `Two selected servers are named ${name}.`;
  };
  return new Map(
    [...chosen].flatMap(([id, { name }]) => {
      const problem = wrong(name);
      return problem === null ? [] : [[id, problem] as const];
    }),
  );
}

/** Returns the suggested name, with a numeric suffix if the name is taken. */
function freeName(suggested: MemberName, taken: ReadonlySet<MemberName>): MemberName {
  let name = suggested;
  for (let turn = 2; taken.has(folded(name)); turn += 1) {
    const end = `-${turn}`;
    name = `${suggested.slice(0, NAME_MAX - end.length)}${end}`;
  }
  return name;
}

/** Whether the user must enter a value before the import. */
export function mustBeGiven({ required, default: usual }: FoundInput): boolean {
  return required && usual === null;
}

export class ServerSelection {
  readonly state = new Store<SelectionState>(NOTHING);
  readonly #make: (servers: AdoptServer[]) => Promise<Adopted>;
  /** The typed values. They include secrets, so they are kept out of stores that components render. */
  readonly #given = new Map<FoundId, Map<string, string>>();

  constructor(make: (servers: AdoptServer[]) => Promise<Adopted>) {
    this.#make = make;
  }

  select(servers: readonly FoundServer[]): void {
    this.state.update((now) => {
      const chosen = new Map(now.chosen);
      const taken = new Set([...chosen.values()].map(({ name }) => folded(name)));
      for (const { id, name: called, suggested, state } of servers) {
        if (chosen.has(id) || state.kind !== "new") continue;
        const name = freeName(suggested, taken);
        taken.add(folded(name));
        chosen.set(id, { called, name, renamed: false, keepCommand: false });
      }
      return { ...now, chosen, gone: [] };
    });
  }

  deselect(ids: readonly FoundId[]): void {
    this.state.update((now) => ({ ...now, chosen: this.#without(now.chosen, ids), gone: [] }));
  }

  keepCommand(id: FoundId, keepCommand: boolean): void {
    this.state.update((now) => {
      const before = now.chosen.get(id);
      return before === undefined ? now : { ...now, chosen: new Map(now.chosen).set(id, { ...before, keepCommand }) };
    });
  }

  rename(id: FoundId, name: MemberName): void {
    this.state.update((now) => {
      const choice = now.chosen.get(id);
      return choice ? { ...now, chosen: new Map(now.chosen).set(id, { ...choice, name, renamed: true }) } : now;
    });
  }

  /** Whether the user typed a name or a value. */
  hasInput(): boolean {
    return [...this.#given.values()].some(({ size }) => size > 0) || [...this.state.get().chosen.values()].some(({ renamed }) => renamed);
  }

  /** The typed value of a field. */
  givenValue(id: FoundId, input: string): string {
    return this.#given.get(id)?.get(input) ?? "";
  }

  setValue(id: FoundId, input: string, value: string): void {
    const own = this.#given.get(id) ?? new Map<string, string>();
    if (value === "") {
      own.delete(input);
      return;
    }
    this.#given.set(id, own.set(input, value));
    const key = fieldKey(id, input);
    if (!this.state.get().missing.has(key)) return;
    this.state.update((now) => ({ ...now, missing: new Set([...now.missing].filter((one) => one !== key)) }));
  }

  /** Marks the empty required fields of the selected servers. Returns the number of such fields. */
  markMissing(servers: readonly FoundServer[]): number {
    const { chosen } = this.state.get();
    const wanted = servers.flatMap(({ id, inputs }) => (chosen.has(id) ? inputs.filter(mustBeGiven).map((input) => [id, input.id] as const) : []));
    const missing = new Set(wanted.flatMap(([id, input]) => (this.givenValue(id, input) === "" ? [fieldKey(id, input)] : [])));
    this.state.update((now) => ({ ...now, missing }));
    return missing.size;
  }

  /** Imports the selected servers. Servers that were rejected stay selected. */
  async importAll(): Promise<void> {
    const { chosen, busy } = this.state.get();
    if (busy || chosen.size === 0) return;
    this.state.update((now) => ({ ...now, busy: true, trouble: null, ended: [], gone: [] }));
    try {
      const servers = [...chosen].map(([id, { name, keepCommand }]) => ({ id, name, inputs: this.#inputsOf(id), keepCommand }));
      const { each } = await this.#make(servers);
      const ended = each.map(({ id, end }) => ({ id, called: chosen.get(id)?.called ?? "", end }));
      const done = ended.flatMap(({ id, end }) => (end.kind === "member" ? [id] : []));
      this.state.update((now) => ({ ...now, busy: false, ended, chosen: this.#without(now.chosen, done), gone: [] }));
    } catch (reason) {
      this.state.update((now) => ({ ...now, busy: false, trouble: asRefusal(reason).report }));
    }
  }

  /** Clears the outcomes of the last import. */
  clear(): void {
    this.state.update((now) => ({ ...now, ended: [], trouble: null }));
  }

  /** Clears the selection and the outcomes. */
  reset(): void {
    this.deselect([...this.state.get().chosen.keys()]);
    this.clear();
  }

  /**
   * Deselects servers that are no longer found or no longer new, for example because their command changed or a
   * member runs them now.
   */
  deselectStale(servers: readonly FoundServer[]): void {
    const { chosen } = this.state.get();
    if (chosen.size === 0) return;
    const states = new Map(servers.map(({ id, state }) => [id, state.kind]));
    const left = [...chosen].filter(([id]) => states.get(id) !== "new");
    if (left.length === 0) return;
    const gone = left.flatMap(([id, { called }]) => (states.get(id) === "adopted" ? [] : [called]));
    this.state.update((now) => ({
      ...now,
      chosen: this.#without(now.chosen, left.map(([id]) => id)),
      gone: [...now.gone, ...gone],
    }));
  }

  #inputsOf(id: FoundId): GivenInput[] {
    return [...(this.#given.get(id) ?? [])].map(([input, value]) => ({ id: input, value }));
  }

  #without(chosen: SelectionState["chosen"], ids: readonly FoundId[]): SelectionState["chosen"] {
    const left = new Map(chosen);
    for (const id of ids) {
      left.delete(id);
      this.#given.delete(id);
    }
    return left;
  }
}
