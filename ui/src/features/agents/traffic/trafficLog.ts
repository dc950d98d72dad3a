/** The store of agents' requests. It records requests while the Activity tab is open. */
import type { Exchange, HallEvent, MemberName, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import type { Hall } from "../../../lib/hall/hall";
import { Store } from "../../../lib/store";

/** Maximum number of exchanges in the store. The engine stores fewer exchanges. */
export const EXCHANGES_MAX = 1_000;

interface TrafficState {
  /** Whether the first read has ended, with or without an error. */
  readonly read: boolean;
  /** The exchanges, newest first. */
  readonly exchanges: readonly Exchange[];
  /** The number of exchanges received during a pause. They are added when the pause ends. */
  readonly held: number;
  readonly trouble: Report | null;
}

/** The filters of the table; `null` for any value. */
interface TrafficFilter {
  readonly member: MemberName | null;
  readonly client: string | null;
}

const NOTHING: TrafficState = { read: false, exchanges: [], held: 0, trouble: null };

export class TrafficLog {
  readonly seen = new Store<TrafficState>(NOTHING);
  readonly paused = new Store(false);
  readonly filter = new Store<TrafficFilter>({ member: null, client: null });
  /** The `seq` of the exchange that the sheet shows. */
  readonly opened = new Store<number | null>(null);

  readonly #hall: Hall;
  #watchers = 0;
  /** Exchanges received during a pause, newest first. */
  #held: readonly Exchange[] = [];

  constructor(hall: Hall) {
    this.#hall = hall;
  }

  /** Records exchanges until the returned function is called. */
  watch(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1) void this.#read();
    return () => {
      this.#watchers -= 1;
    };
  }

  take(events: readonly HallEvent[], missed: boolean): void {
    if (this.#watchers === 0) return;
    const fresh = events.flatMap((event) => (event.kind === "traffic_seen" ? event.exchanges : []));
    if (fresh.length > 0) this.#join(fresh);
    if (missed) void this.#read();
  }

  setPaused(paused: boolean): void {
    this.paused.set(paused);
    if (paused || this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    this.seen.update((seen) => ({ ...seen, exchanges: merged(held, seen.exchanges), held: 0 }));
  }

  async #read(): Promise<void> {
    try {
      const { exchanges } = await this.#hall.ask("gateway_traffic", {});
      // The result of the first read is shown even during a pause.
      if (this.seen.get().read) this.#join(exchanges);
      else this.#show(exchanges);
      this.seen.update((seen) => ({ ...seen, read: true, trouble: null }));
    } catch (reason) {
      this.seen.update((seen) => ({ ...seen, read: true, trouble: asRefusal(reason).report }));
    }
  }

  #join(exchanges: readonly Exchange[]): void {
    if (!this.paused.get()) {
      this.#show(exchanges);
      return;
    }
    const top = this.seen.get().exchanges[0]?.seq ?? 0;
    this.#held = merged(exchanges.filter(({ seq }) => seq > top), this.#held);
    this.seen.update((seen) => (seen.held === this.#held.length ? seen : { ...seen, held: this.#held.length }));
  }

  #show(exchanges: readonly Exchange[]): void {
    this.seen.update((seen) => ({ ...seen, exchanges: merged(exchanges, seen.exchanges) }));
  }
}

/** Merges two lists: each exchange once, newest first, at most `EXCHANGES_MAX`. */
function merged(some: readonly Exchange[], others: readonly Exchange[]): readonly Exchange[] {
  const known = new Set(others.map(({ seq }) => seq));
  const fresh = some.filter(({ seq }) => !known.has(seq));
  if (fresh.length === 0) return others;
  return [...fresh, ...others].sort((a, b) => b.seq - a.seq).slice(0, EXCHANGES_MAX);
}

export function fits({ member, client }: TrafficFilter, exchange: Exchange): boolean {
  return (member === null || exchange.member === member) && (client === null || exchange.client === client);
}
