/** The window's state of an examination of this machine: the findings so far, and the progress. */
import type { CallId, Examination, Finding, HallEvent, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { newCallId } from "../../../lib/callId";
import type { Hall } from "../../../lib/hall/hall";
import type { Navigation } from "../../../lib/navigation/navigation";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";

interface ExaminationState {
  /** The one that runs; `null` while none does. */
  running: CallId | null;
  /** The number of finished checks, of how many in all. */
  done: number;
  of: number;
  /** In the order in which they came; in the order of the report once that is there. */
  findings: readonly Finding[];
  /** The last report that came, and when. */
  report: Examination | null;
  atMs: number;
  /** Why there is none. */
  trouble: Report | null;
}

const NOTHING: ExaminationState = { running: null, done: 0, of: 0, findings: [], report: null, atMs: 0, trouble: null };

export class Doctor {
  readonly state = new Store<ExaminationState>(NOTHING);
  readonly #hall: Hall;

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onEvents((events) => this.#take(events));
  }

  /** Whether no examination has run, and none is running. */
  isNew(): boolean {
    const { running, report } = this.state.get();
    return running === null && report === null;
  }

  /** Looks at the machine, unless that is being done. */
  async examine(): Promise<void> {
    if (this.state.get().running !== null) return;
    const call = newCallId();
    this.state.set({ ...NOTHING, running: call });
    try {
      const report = await this.#hall.ask("doctor", { call });
      this.state.update((now) => ({ ...now, running: null, findings: report.findings, report, atMs: Date.now() }));
    } catch (reason) {
      this.state.update((now) => ({ ...now, running: null, trouble: asRefusal(reason).report }));
    }
  }

  /** Cancels the examination; its findings stay. */
  cancel(): void {
    const { running } = this.state.get();
    if (running !== null) this.#hall.ask("cancel_call", { call: running }).catch(() => undefined);
  }

  #take(events: readonly HallEvent[]): void {
    const { running } = this.state.get();
    if (running === null) return;
    const mine = events.flatMap((event) => (event.kind === "examined" && event.call === running ? [event] : []));
    const last = mine.at(-1);
    if (!last) return;
    this.state.update((now) => ({
      ...now,
      done: last.done,
      of: last.of,
      findings: [...now.findings, ...mine.map(({ finding }) => finding)],
    }));
  }
}

/** Opens the check of this machine, and starts it if none ran before. */
export function runSystemCheck({ doctor, navigation }: { readonly doctor: Doctor; readonly navigation: Navigation }): void {
  navigation.openDoctor();
  if (doctor.isNew()) void doctor.examine();
}

export const [DoctorContext, useDoctor] = storeContext<Doctor>("useDoctor");
