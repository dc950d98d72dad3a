/** What the window knows of the gateway: its state, the calls that wait for a person, the traffic. */
import type { AddedAgentClient, Commands, Endpoint, GatewayState, HallEvent, Profile, ProfileName, Report } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import type { Hall } from "../hall/hall";
import { Store } from "../hall/store";
import { ApprovalDesk } from "./approvals/approvalDesk";
import { PolicyDesk } from "./policies/policyDesk";
import type { EditedProfile } from "./profiles/edited";
import { TrafficLog } from "./traffic/trafficLog";

export const AGENT_TABS = ["gateway", "connect", "policies", "profiles", "view", "approvals", "traffic"] as const;
export type AgentTab = (typeof AGENT_TABS)[number];

export const ALL_MEMBERS: Endpoint = { kind: "all" };

export class Agents {
  /** The current state; `null` until the first event. */
  readonly gateway = new Store<GatewayState | null>(null);
  /** Why it could not be read. */
  readonly trouble = new Store<Report | null>(null);
  readonly approvals: ApprovalDesk;
  readonly traffic: TrafficLog;
  /** What agents may call. */
  readonly policies: PolicyDesk;
  /** The profile whose policies are shown; `null` for the global ones. */
  readonly governed = new Store<ProfileName | null>(null);
  /** The selected endpoint, shared by all tabs. */
  readonly endpoint = new Store<Endpoint>(ALL_MEMBERS);
  /** The profile that is edited, kept while one looks elsewhere. */
  readonly editing = new Store<EditedProfile | null>(null);

  /** A client whose token was made and is still shown, this once. */
  readonly added = new Store<AddedAgentClient | null>(null);

  readonly #hall: Hall;
  /** Grows with each question: the answer to an older one is not taken. */
  #turn = 0;

  constructor(hall: Hall, now?: () => number) {
    this.#hall = hall;
    this.approvals = new ApprovalDesk(hall, now);
    this.traffic = new TrafficLog(hall);
    this.policies = new PolicyDesk(hall);
    hall.onEvents((events, missed) => this.#take(events, missed));
  }

  /** Reads the gateway's state again. */
  read(): void {
    this.#turn += 1;
    const mine = this.#turn;
    this.#hall.ask("gateway", {}).then(
      (gateway) => mine === this.#turn && this.#know(gateway),
      (reason: unknown) => {
        if (mine === this.#turn) this.trouble.set(asRefusal(reason).report);
      },
    );
  }

  /** Has the gateway changed by one command; why it was not, where it was not. */
  async change(
    ...[name, request]: { [K in GatewayCommand]: [K, GatewayRequest<K>] }[GatewayCommand]
  ): Promise<Report | null> {
    try {
      this.#know(await this.#hall.ask(name, request));
      return null;
    } catch (reason) {
      return asRefusal(reason).report;
    }
  }

  /** Saves a profile, possibly under a new name. Views of the old name switch to the new one. */
  async saveProfile(profile: Profile, original: ProfileName | null): Promise<Report | null> {
    const { name } = profile;
    const renamed = original !== null && original !== name;
    const looksAtIt = (endpoint: Endpoint) => endpoint.kind === "profile" && endpoint.profile === original;
    const refused = await this.change("save_profile", { profile, insteadOf: renamed ? original : null });
    if (refused === null && renamed) {
      this.endpoint.update((now) => (looksAtIt(now) ? { kind: "profile", profile: name } : now));
      this.governed.update((now) => (now === original ? name : now));
    }
    return refused;
  }

  #take(events: readonly HallEvent[], missed: boolean): void {
    const changed = events.findLast((event) => event.kind === "gateway_changed");
    if (changed) this.#know(changed.gateway);
    else if (missed) this.read();
    this.approvals.take(events, missed);
    this.traffic.take(events, missed);
  }

  #know(gateway: GatewayState): void {
    // All earlier requests are out of date.
    this.#turn += 1;
    this.gateway.set(gateway);
    this.trouble.set(null);
  }
}

type GatewayCommand = "change_gateway" | "set_embeddings" | "confirm_read_only" | "revoke_agent_client" | "save_profile" | "delete_profile";
type GatewayRequest<K extends GatewayCommand> = Commands[K]["request"];
