/** The stores of the Agents page: the gateway's state, pending approvals, permissions and activity. */
import type { AddedAgentClient, Commands, Endpoint, GatewayState, HallEvent, Profile, ProfileName, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { errorOf } from "../../lib/errorOf";
import type { Hall } from "../../lib/hall/hall";
import { Store } from "../../lib/store";
import { storeContext } from "../../lib/storeContext";
import { ApprovalStore } from "./approvals/approvalStore";
import { PolicyStore } from "./policies/policyStore";
import { followed, type EditedProfile } from "./profiles/edited";
import { TrafficLog } from "./traffic/trafficLog";

export const ALL_MEMBERS: Endpoint = { kind: "all" };

export class Agents {
  /** The gateway's current state; `null` until the first response or event. */
  readonly gateway = new Store<GatewayState | null>(null);
  /** The error of the last attempt to read the gateway's state. */
  readonly trouble = new Store<Report | null>(null);
  readonly approvals: ApprovalStore;
  readonly traffic: TrafficLog;
  readonly policies: PolicyStore;
  /** The profile whose permissions are shown; `null` for the global permissions. */
  readonly governed = new Store<ProfileName | null>(null);
  /** The selected endpoint, shared by all tabs. */
  readonly endpoint = new Store<Endpoint>(ALL_MEMBERS);
  /** Whether the panel "What agents see" is open. */
  readonly previewing = new Store(false);
  /** The profile in the editor, with its unsaved changes. The store keeps it while another page is open. */
  readonly editing = new Store<EditedProfile | null>(null);

  /** The new client whose token is shown; `null` after the user closed the token's panel. */
  readonly added = new Store<AddedAgentClient | null>(null);

  readonly #hall: Hall;
  /** Incremented by each read and each new state, so that responses to earlier reads are discarded. */
  #turn = 0;

  constructor(hall: Hall, now?: () => number) {
    this.#hall = hall;
    this.approvals = new ApprovalStore(hall, now);
    this.traffic = new TrafficLog(hall);
    this.policies = new PolicyStore(hall);
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

  /** Changes the gateway by one command. Returns the error, if any. */
  async change(
    ...[name, request]: { [K in GatewayCommand]: [K, GatewayRequest<K>] }[GatewayCommand]
  ): Promise<Report | null> {
    return errorOf(async () => {
      this.#know(await this.#hall.ask(name, request));
    });
  }

  /** Saves a profile. After a rename, the selected endpoint and the shown permissions change to the new name. */
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
    // Discards the responses to pending reads, because they are older than this state.
    this.#turn += 1;
    this.editing.update((edited) => followed(edited, this.gateway.get(), gateway));
    this.gateway.set(gateway);
    this.trouble.set(null);
  }
}

export const [AgentsContext, useAgents] = storeContext<Agents>("useAgents");

type GatewayCommand = "change_gateway" | "set_embeddings" | "confirm_read_only" | "bind_agent_client" | "revoke_agent_client" | "save_profile" | "delete_profile";
type GatewayRequest<K extends GatewayCommand> = Commands[K]["request"];
