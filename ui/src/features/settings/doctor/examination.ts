/** The state of a system check: the findings so far, and the progress. */
import type { CallId, Examination, Finding, HallEvent, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { newCallId } from "../../../lib/callId";
import type { Hall } from "../../../lib/hall/hall";
import type { Navigation } from "../../../lib/navigation/navigation";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";

interface ExaminationState {
  /** The id of the running check; `null` if none is running. */
  running: CallId | null;
  /** The number of finished steps. `of` is the total number. */
  done: number;
  of: number;
  /** The findings in the order of arrival. After the check ends, in the order of the report. */
  findings: readonly Finding[];
  /** The last finished report. `atMs` is the time at which it arrived. */
  report: Examination | null;
  atMs: number;
  /** The error if the last check failed. */
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

  /** Whether neither a report exists nor a check is running. */
  isNew(): boolean {
    const { running, report } = this.state.get();
    return running === null && report === null;
  }

  /** Starts a check, unless one is running. */
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

  /** Cancels the check. The findings so far are kept. */
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

/** Opens the System check page, and starts a check unless a report exists. */
export function runSystemCheck({ doctor, navigation }: { readonly doctor: Doctor; readonly navigation: Navigation }): void {
  navigation.openDoctor();
  if (doctor.isNew()) void doctor.examine();
}

export const [DoctorContext, useDoctor] = storeContext<Doctor>("useDoctor");
