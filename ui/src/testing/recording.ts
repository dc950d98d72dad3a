/** The types of the recorded answers in `generated`. */
import type { Commands, Report } from "../ipc/bindings";

export interface Recorded<K extends keyof Commands> {
  /** If set, the answer is returned only to tests that request this label. */
  label?: string;
  request: Commands[K]["request"];
  answer?: Commands[K]["response"];
  refusal?: Report;
}

export type Recording = { [K in keyof Commands]?: Recorded<K>[] };
