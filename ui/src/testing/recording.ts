/** The form of the recorded answers in `generated`. */
import type { Commands, Report } from "../ipc/bindings";

export interface Recorded<K extends keyof Commands> {
  /** The name of an answer that only the tests with that name get. */
  label?: string;
  request: Commands[K]["request"];
  answer?: Commands[K]["response"];
  refusal?: Report;
}

export type Recording = { [K in keyof Commands]?: Recorded<K>[] };
